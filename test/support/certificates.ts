import 'reflect-metadata'
import * as x509 from '@peculiar/x509'
import { isIP } from 'node:net'
import { KeyObject, webcrypto } from 'node:crypto'

/** Certificate with its key, PEM, and a function that signs others with it. */
export interface Issued {
  cert: string
  key: string
  keys: webcrypto.CryptoKeyPair
}

export interface Subject {
  cn?: string
  o?: readonly string[]
  uid?: readonly string[]
}

export interface CertificateRequest extends Subject {
  /** Usage; default: clients. Empty: the certificate has no usage. */
  uses?: readonly string[]
  isAuthority?: boolean
  targets?: readonly string[]
  /** DNS names and addresses of a server. */
  hosts?: readonly string[]
  /** Validity; default: an hour before and after now, by the machine's clock. */
  from?: Date
  to?: Date
}

export const serverUse = '1.3.6.1.5.5.7.3.1'
export const clientUse = '1.3.6.1.5.5.7.3.2'
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const hourMs = 3_600_000
let serial = 1

/** Certificate signed by `issuer`, or self-signed. */
export async function certificate(request: CertificateRequest, issuer?: Issued): Promise<Issued> {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const { isAuthority = false, uses = [clientUse] } = request
  const names = alternativeNames(request)
  const subject = subjectName(request)
  const made = await x509.X509CertificateGenerator.create({
    serialNumber: (serial++).toString(16).padStart(4, '0'),
    subject,
    issuer: issuer === undefined ? subject : new x509.X509Certificate(issuer.cert).subjectName,
    notBefore: request.from ?? new Date(Date.now() - hourMs),
    notAfter: request.to ?? new Date(Date.now() + hourMs),
    signingAlgorithm: algorithm,
    publicKey: keys.publicKey,
    signingKey: (issuer?.keys ?? keys).privateKey,
    extensions: [
      new x509.BasicConstraintsExtension(isAuthority, undefined, true),
      ...(isAuthority || uses.length === 0 ? [] : [new x509.ExtendedKeyUsageExtension([...uses])]),
      ...(names.length === 0 ? [] : [new x509.SubjectAlternativeNameExtension(names)]),
    ],
  })
  const key = KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' }).toString()
  return { cert: `${made.toString('pem')}\n`, key, keys }
}

function alternativeNames({ targets = [], hosts = [] }: CertificateRequest) {
  const hostType = (value: string) => (isIP(value) > 0 ? ('ip' as const) : ('dns' as const))
  return [
    ...targets.map((value) => ({ type: 'url' as const, value })),
    ...hosts.map((value) => ({ type: hostType(value), value })),
  ]
}

export function authority(cn: string, issuer?: Issued): Promise<Issued> {
  return certificate({ cn, isAuthority: true }, issuer)
}

function subjectName({ cn, o = [], uid = [] }: Subject): x509.Name {
  const text = (name: string, value: string) => ({ [name]: [{ utf8String: value }] })
  return new x509.Name([
    ...o.map((one) => text('O', one)),
    ...uid.map((one) => text('1.3.6.1.4.1.57683.2', one)),
    ...(cn === undefined ? [] : [text('CN', cn)]),
  ])
}
