import { join } from 'node:path'
import type { Clock, Random } from '../meta/clock.ts'
import { firstCertificates } from './pki/firstCertificates.ts'
import type { FirstCertificates } from './pki/issuingMessages.ts'
import type { CertificateRequest } from './pki/servingCertificate.ts'
import { servingHosts } from './pki/servingHosts.ts'
import type { ServerOptions } from '../runtime/options/serverOptions.ts'

type Sources = Pick<CertificateRequest, 'clock' | 'random' | 'first'>

/** The serving certificate that a server with these options needs. */
export function certificateRequest(options: ServerOptions, sources: Sources): CertificateRequest {
  const { dataDir, bindAddress, tlsCertFile, tlsPrivateKeyFile, tlsSan } = options
  const isOwn = tlsCertFile !== undefined && tlsPrivateKeyFile !== undefined
  return {
    directory: dataDir === undefined ? undefined : join(dataDir, 'pki'),
    hosts: [...new Set([...servingHosts(bindAddress), ...tlsSan])],
    own: isOwn ? { certFile: tlsCertFile, keyFile: tlsPrivateKeyFile } : undefined,
    ...sources,
  }
}

/** Starts issuing the certificates of a first start before the server is loaded. */
export async function issueAhead(
  options: ServerOptions,
  sources: { clock: Clock; random: Random },
): Promise<FirstCertificates | undefined> {
  const request = certificateRequest(options, sources)
  return request.own === undefined ? firstCertificates(request) : undefined
}
