import 'reflect-metadata' // @peculiar/x509 does not load without it
import * as x509 from '@peculiar/x509'
import { createPrivateKey, createPublicKey, KeyObject, webcrypto } from 'node:crypto'
import { isIP } from 'node:net'
import type { Clock, Random } from '../../meta/clock.ts'
import { authorityLifeMs, leafLifeMs } from './certificateChecks.ts'
import type { CertifiedKey } from './certificate.ts'

interface Sources {
  clock: Pick<Clock, 'now'>
  random: Pick<Random, 'bytes'>
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const serverAuthentication = '1.3.6.1.5.5.7.3.1'
const clientAuthentication = '1.3.6.1.5.5.7.3.2'
/** Tolerated clock skew of clients for a new certificate. */
const backdatedMs = 5 * 60 * 1000

/** Issues a self-signed CA; with the PEM key of an old one, its replacement. */
export async function issueAuthority(
  oldKey: string | undefined,
  sources: Sources,
): Promise<CertifiedKey> {
  const keys = oldKey === undefined ? await newKeys() : await importKeys(oldKey)
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=platform-apiserver-ca',
    keys,
    ...common(authorityLifeMs, sources),
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(
        x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign,
        true,
      ),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  return { cert: certificate.toString('pem') + '\n', key: oldKey ?? keyPem(keys.privateKey) }
}

/** A certificate of a TLS server for these names and addresses, signed by `authority`. */
export async function issueLeaf(
  authority: CertifiedKey,
  hosts: readonly string[],
  sources: Sources,
): Promise<CertifiedKey> {
  const signer = await importKeys(authority.key)
  const keys = await newKeys()
  const certificate = await x509.X509CertificateGenerator.create({
    subject: 'CN=platform-apiserver',
    issuer: new x509.X509Certificate(authority.cert).subjectName,
    publicKey: keys.publicKey,
    signingKey: signer.privateKey,
    ...common(leafLifeMs, sources),
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([serverAuthentication]),
      new x509.SubjectAlternativeNameExtension(hosts.map(generalName)),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      await x509.AuthorityKeyIdentifierExtension.create(signer.publicKey),
    ],
  })
  return { cert: certificate.toString('pem') + '\n', key: keyPem(keys.privateKey) }
}

/** Subject and lifetime of a client certificate. */
export interface ClientRequest {
  /** CN of the subject. */
  user: string
  /** O of the subject, one for each group. */
  groups: readonly string[]
  /** Subject alternative names: URIs of the only targets that the certificate is valid for. */
  targets: readonly string[]
  lifeMs: number
}

/** Issues a client certificate signed by `authority`, which expires no later than that. */
export async function issueClient(
  authority: CertifiedKey,
  { user, groups, targets, lifeMs }: ClientRequest,
  sources: Sources,
): Promise<CertifiedKey> {
  const signer = await importKeys(authority.key)
  const issuer = new x509.X509Certificate(authority.cert)
  const keys = await newKeys()
  const longest = issuer.notAfter.getTime() - sources.clock.now()
  const certificate = await x509.X509CertificateGenerator.create({
    subject: subjectName(user, groups),
    issuer: issuer.subjectName,
    publicKey: keys.publicKey,
    signingKey: signer.privateKey,
    ...common(Math.min(lifeMs, longest), sources),
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([clientAuthentication]),
      new x509.SubjectAlternativeNameExtension(targets.map((value) => ({ type: 'url', value }))),
      await x509.AuthorityKeyIdentifierExtension.create(signer.publicKey),
    ],
  })
  return { cert: certificate.toString('pem') + '\n', key: keyPem(keys.privateKey) }
}

/** The subject as structured data: a string would be parsed, and users choose names with quotes and number signs. */
function subjectName(user: string, groups: readonly string[]): x509.Name {
  const organizations = groups.map((group) => ({ O: [{ utf8String: group }] }))
  return new x509.Name([...organizations, { CN: [{ utf8String: user }] }])
}

function common(lifeMs: number, { clock, random }: Sources) {
  return {
    serialNumber: serialNumber(random),
    notBefore: new Date(clock.now() - backdatedMs),
    notAfter: new Date(clock.now() + lifeMs),
    signingAlgorithm: algorithm,
  }
}

/** A positive serial number of at most 20 bytes. Source: RFC 5280 section 4.1.2.2. */
function serialNumber(random: Pick<Random, 'bytes'>): string {
  return `4${random.bytes(16).toString('hex').slice(1)}`
}

function generalName(host: string): x509.JsonGeneralName {
  return { type: isIP(host) > 0 ? 'ip' : 'dns', value: host }
}

function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
}

async function importKeys(pem: string): Promise<webcrypto.CryptoKeyPair> {
  const privateKey = createPrivateKey(pem)
  const publicKey = createPublicKey(privateKey)
  const { subtle } = webcrypto
  const pkcs8 = privateKey.export({ type: 'pkcs8', format: 'der' })
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  return {
    privateKey: await subtle.importKey('pkcs8', pkcs8, algorithm, true, ['sign']),
    publicKey: await subtle.importKey('spki', spki, algorithm, true, ['verify']),
  }
}

function keyPem(key: webcrypto.CryptoKey): string {
  return KeyObject.from(key).export({ type: 'pkcs8', format: 'pem' }).toString()
}
