import { StorageError } from '../errors.ts'

/**
 * Encryption of values on their way to disk or etcd. The bytes are bound to their key: under another key they cannot be
 * decrypted.
 */
export interface Sealing {
  /** Bytes to store. @throws StorageError Unavailable if the encryption key is temporarily unavailable. */
  seal(key: string, value: Buffer): Buffer
  /**
   * Loads keys needed for decrypting these bytes; undefined: nothing to load. Never rejects, since
   * `open` reports errors.
   */
  prepare(stored: Iterable<Uint8Array | undefined>): Promise<void> | undefined
  /** Value of stored bytes that were prepared. @throws StorageError Sealed, which names the missing key. */
  open(key: string, stored: Buffer): Buffer
  /** Reports whether the value would now be stored differently: with another key, encrypted, or unencrypted. */
  isStale(key: string, stored: Buffer): boolean
}

/** Prefix of every encrypted value, as in kube-apiserver. */
const sealedMark = Buffer.from('k8s:enc:')

export function isSealed(stored: Uint8Array): boolean {
  return stored[0] === sealedMark[0] && sealedMark.equals(stored.subarray(0, sealedMark.length))
}

/** Provider and key of an encrypted value, in words, such as `aesgcm with the key "key1"`. */
export function sealedWith(stored: Uint8Array): string {
  const head = Buffer.from(stored.subarray(sealedMark.length, 512)).toString('latin1')
  const [provider = '', , name = ''] = head.split(':')
  const noun = provider === 'kms' ? 'provider' : 'key'
  return `${provider} with the ${noun} ${JSON.stringify(name)}`
}

/** No encryption; encrypted values are refused. */
export const unsealed: Sealing = {
  seal: (_, value) => value,
  prepare: () => undefined,
  open(key, stored) {
    if (!isSealed(stored)) return stored
    throw new StorageError(
      'Sealed',
      `${key} is encrypted by ${sealedWith(stored)}: start with the --encryption-provider-config that has it`,
      { key },
    )
  },
  isStale: () => false,
}

/** Bytes as stored, for tools that copy them without keys. */
export const asStored: Sealing = {
  seal: (_, value) => value,
  prepare: () => undefined,
  open: (_, stored) => stored,
  isStale: () => false,
}
