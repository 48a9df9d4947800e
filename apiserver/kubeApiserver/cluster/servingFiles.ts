import { access, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { loadOrCreateServingCertificate } from '../../http/pki/servingCertificate.ts'
import type { OwnCertificateFiles } from '../../http/pki/ownCertificate.ts'
import { servingHosts } from '../../http/pki/servingHosts.ts'
import type { Clock, Random } from '../../meta/clock.ts'
import type { ServerOptions } from '../../runtime/options/serverOptions.ts'

interface Surroundings {
  clock: Clock
  random: Random
}

/**
 * Files of the serving certificate: the files named in the flags, otherwise `apiserver.crt` and
 * `apiserver.key` of the folder, which are generated if both are missing.
 */
export async function servingFiles(
  certDir: string,
  { tlsCertFile, tlsPrivateKeyFile, bindAddress }: ServerOptions,
  { clock, random }: Surroundings,
): Promise<OwnCertificateFiles> {
  if (tlsCertFile !== undefined && tlsPrivateKeyFile !== undefined) {
    return { certFile: tlsCertFile, keyFile: tlsPrivateKeyFile }
  }
  const files = {
    certFile: join(certDir, 'apiserver.crt'),
    keyFile: join(certDir, 'apiserver.key'),
  }
  if ((await isThere(files.certFile)) || (await isThere(files.keyFile))) return files
  const hosts = [...servingHosts(bindAddress), 'kubernetes', 'kubernetes.default.svc']
  const request = { directory: undefined, hosts, clock, random }
  const { cert, key, ca = '' } = await loadOrCreateServingCertificate(request)
  await mkdir(certDir, { recursive: true })
  await writeFile(files.keyFile, key, { mode: 0o600 })
  // Includes the CA, so that clients can trust the file.
  await writeFile(files.certFile, `${cert.trim()}\n${ca}`)
  return files
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
