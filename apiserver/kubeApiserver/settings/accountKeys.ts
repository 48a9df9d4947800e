import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { SecretKeeper } from '../../runtime/files/secretFile.ts'
import { StartError } from '../../runtime/startError.ts'
import { systemReason } from '../../runtime/systemReason.ts'

/** File of the signing key, and files of additional verification keys. */
export interface AccountKeyFiles {
  signingKeyFile: string
  keyFiles: readonly string[]
}

const algorithms: Readonly<Record<string, string>> = {
  'P-256': 'ES256',
  'P-384': 'ES384',
  'P-521': 'ES512',
}

/**
 * Keys of service account tokens, the signing one first, in the stored form of `JwtKeys`.
 * @throws StartError for files without such keys.
 */
export async function accountKeys(files: AccountKeyFiles): Promise<SecretKeeper> {
  const signing = await readSigningKey(files.signingKeyFile)
  const others = await Promise.all(files.keyFiles.map(readPublicKeys))
  const kept = new Map([[signing.kid, signing]])
  for (const key of others.flat()) if (!kept.has(key.kid)) kept.set(key.kid, key)
  const createdAt = '1970-01-01T00:00:00Z'
  const text = JSON.stringify([...kept.values()].map((jwk) => ({ createdAt, jwk })))
  return {
    read: async () => text,
    isShared: false,
    replace: () => Promise.reject(new Error('the keys of files are not replaced')),
  }
}

async function readSigningKey(file: string) {
  const what = 'service-account-issuer-key-file'
  const pem = await read(file, what)
  try {
    return jwkOf(createPrivateKey(pem), createPublicKey(pem))
  } catch (error) {
    throw new StartError(
      `failed to parse ${what}: data does not contain a valid RSA or ECDSA private key`,
      error,
    )
  }
}

const block = /-----BEGIN ([A-Z ]+)-----[^-]+-----END \1-----/g

async function readPublicKeys(file: string) {
  const pem = await read(file, 'service-account-key-file')
  const blocks = pem.match(block) ?? []
  // Parameters of a curve precede its private key.
  const keys = blocks.filter((one) => !one.includes('PARAMETERS')).map((one) => publicKeyOf(one))
  const found = keys.filter((key) => key !== undefined)
  if (found.length > 0) return found
  throw new StartError(
    `error reading public key file ${file}: data does not contain any valid RSA or ECDSA public keys`,
  )
}

function publicKeyOf(pem: string) {
  try {
    const key = createPublicKey(pem)
    return jwkOf(key, key)
  } catch {
    return undefined
  }
}

/** A key with the ID of the real program: the digest of the public key. */
function jwkOf(key: KeyObject, publicKey: KeyObject) {
  const jwk = key.export({ format: 'jwk' })
  const alg = jwk.kty === 'RSA' ? 'RS256' : algorithms[jwk.crv ?? '']
  if (alg === undefined) throw new Error('neither an RSA nor an ECDSA key')
  const der = publicKey.export({ format: 'der', type: 'spki' })
  const kid = createHash('sha256').update(der).digest('base64url')
  return { ...jwk, kid, alg, use: 'sig' }
}

async function read(file: string, what: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    const why = systemReason(error) ?? String(error)
    throw new StartError(`failed to parse ${what}: open ${file}: ${why}`, error)
  }
}
