import type { Cipher } from './cipher.ts'
import type { NamedKey } from './encryptionConfiguration.ts'
import type { Transformer } from './transformer.ts'

/** Keys of a provider: the first one encrypts, each decrypts values that begin with its name. */
export function keyedTransformer(
  name: string,
  keys: readonly NamedKey[],
  cipherOf: (secret: Buffer) => Cipher,
): Transformer {
  const prefix = Buffer.from(`k8s:enc:${name}:v1:`)
  const known = keys.map(({ name: keyName, secret }) => ({
    head: Buffer.concat([prefix, Buffer.from(`${keyName}:`)]),
    cipher: cipherOf(Buffer.from(secret, 'base64')),
  }))
  const matching = (stored: Buffer) => known.filter(({ head }) => startsWith(stored, head))
  return {
    prefix,
    seal(value, key) {
      const [first] = known
      if (first === undefined) throw new RangeError(`${name} has no key`)
      return Buffer.concat([first.head, first.cipher.seal(value, key)])
    },
    open(stored, key) {
      // Several keys may have the same name.
      let failure: unknown = new RangeError(`no matching key was found for the provider ${name}`)
      for (const { head, cipher } of matching(stored)) {
        try {
          return cipher.open(stored.subarray(head.length), key)
        } catch (error) {
          failure = error
        }
      }
      throw failure
    },
    isStale: (stored) => known[0] === undefined || !startsWith(stored, known[0].head),
  }
}

export function startsWith(bytes: Buffer, head: Buffer): boolean {
  return bytes.length >= head.length && bytes.subarray(0, head.length).equals(head)
}
