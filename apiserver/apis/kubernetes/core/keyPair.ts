import { createPrivateKey, X509Certificate } from 'node:crypto'

const block = /-----BEGIN ([^-\n]+)-----\s[\s\S]*?-----END \1-----/g
const keyType = 'PRIVATE KEY'

/**
 * First reason why a certificate and a private key in PEM do not match, in the wording of Go's TLS library; undefined:
 * they match.
 */
export function keyPairProblem(certificates: string, key: string): string | undefined {
  const types = [...certificates.matchAll(block)].map(([, type = '']) => type)
  if (!types.includes('CERTIFICATE')) return certificateProblem(types)
  const keys = [...key.matchAll(block)]
  const [pem] = keys.find(([, type = '']) => type.endsWith(keyType)) ?? []
  if (pem === undefined) return keyProblem(keys.map(([, type = '']) => type))
  const certificate = parsed(() => new X509Certificate(certificates))
  if (certificate === undefined) return 'x509: malformed certificate'
  const secret = parsed(() => createPrivateKey(pem))
  if (secret === undefined) return 'tls: failed to parse private key'
  if (certificate.publicKey.asymmetricKeyType !== secret.asymmetricKeyType) {
    return 'tls: private key type does not match public key type'
  }
  const isPair = certificate.checkPrivateKey(secret)
  return isPair ? undefined : 'tls: private key does not match public key'
}

function certificateProblem(types: readonly string[]): string {
  if (types.length === 0) return 'tls: failed to find any PEM data in certificate input'
  if (types.length === 1 && types[0]?.endsWith(keyType) === true) {
    return 'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched'
  }
  return `tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [${types.join(' ')}]`
}

function keyProblem(types: readonly string[]): string {
  if (types.length === 0) return 'tls: failed to find any PEM data in key input'
  if (types.length === 1 && types[0] === 'CERTIFICATE') {
    return 'tls: found a certificate rather than a key in the PEM for the private key'
  }
  return `tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [${types.join(' ')}]`
}

function parsed<T>(parse: () => T): T | undefined {
  try {
    return parse()
  } catch {
    return undefined
  }
}
