import { createHash } from 'node:crypto'
import type { Clock, Random, Timer } from '../../meta/clock.ts'
import { messageOf } from '../../meta/messageOf.ts'
import { gcmCipher } from './aesCiphers.ts'
import type { Cipher, CipherSurroundings } from './cipher.ts'
import type { KmsProvider } from './encryptionConfiguration.ts'
import type { EncryptedObject } from './kmsMessages.ts'
import { KmsService } from './kmsService.ts'
import { seedBytes, seedCipher } from './seedCipher.ts'
import { startsWith } from './keyedTransformer.ts'
import type { Transformer } from './transformer.ts'

/** Key for new values. */
interface WriteKey {
  cipher: Cipher
  envelope: Omit<EncryptedObject, 'encryptedData'>
  /** Time, in milliseconds since the epoch, at which writes are refused unless the KMS has responded. */
  expiresAt: number
}

const healthyMs = 60_000
const unhealthyMs = 10_000
const writeKeyMs = 180_000
const maxKeyIdBytes = 1024
const maxSourceBytes = 1024
const seedType = 1
const versions = new Set(['v2', 'v2beta1'])

/**
 * Encryption with keys that a KMS v2 plugin protects. A seed is generated here and encrypted by the plugin; every value
 * has a key derived from it. Each new key ID of the plugin leads to a new seed. Source: kube-apiserver, KMS v2.
 */
export class KmsTransformer implements Transformer {
  readonly prefix: Buffer
  readonly #name: string
  readonly #service: KmsService
  readonly #clock: Clock
  readonly #random: Random
  #writeKey: WriteKey | undefined
  /** Ciphers by digest of the encrypted key that decrypts them. */
  readonly #ciphers = new Map<string, Cipher>()
  readonly #fetching = new Map<string, Promise<void>>()
  readonly #failures = new Map<string, string>()
  #failure: string | undefined = 'it has not answered yet'
  #timer: Timer | undefined
  #isStopped = false

  static async load(provider: KmsProvider, around: CipherSurroundings): Promise<KmsTransformer> {
    const { endpoint, timeoutMs, name } = provider
    const { clock } = around
    return new KmsTransformer(name, await KmsService.load({ endpoint, timeoutMs, clock }), around)
  }

  private constructor(name: string, service: KmsService, { clock, random }: CipherSurroundings) {
    this.#random = random
    this.#name = name
    this.#service = service
    this.#clock = clock
    this.prefix = Buffer.from(`k8s:enc:kms:v2:${name}:`)
  }

  /** Reason why the KMS cannot be used; undefined: it can. */
  get failure(): string | undefined {
    return this.#failure
  }

  /** Queries the KMS, now and periodically. Never rejects. */
  async start(): Promise<void> {
    try {
      await this.#probe()
      this.#failure = undefined
    } catch (error) {
      const why = messageOf(error)
      this.#failure = `kmsv2 Provider ${this.#name} is not healthy, error: ${why}`
    }
    if (this.#isStopped) return
    const again = () => void this.start()
    const delayMs = this.#failure === undefined ? healthyMs : unhealthyMs
    this.#timer = this.#clock.setTimer(again, delayMs)
  }

  stop(): void {
    this.#isStopped = true
    this.#timer?.cancel()
    this.#service.close()
  }

  seal(value: Buffer, key: string): Buffer {
    const writeKey = this.#writeKey
    if (writeKey === undefined) throw new Error(this.#failure ?? 'the KMS has given no key')
    if (this.#clock.now() > writeKey.expiresAt)
      throw new Error(`the key of the KMS expired: ${this.#failure ?? ''}`)
    const encryptedData = writeKey.cipher.seal(value, key)
    const envelope = this.#service.encode({ ...writeKey.envelope, encryptedData })
    return Buffer.concat([this.prefix, envelope])
  }

  open(stored: Buffer, key: string): Buffer {
    const envelope = this.#decode(stored)
    const digest = digestOf(envelope)
    const cipher = this.#ciphers.get(digest)
    if (cipher !== undefined) return cipher.open(Buffer.from(envelope.encryptedData), key)
    const why = this.#failures.get(digest) ?? this.#failure ?? 'it was not fetched'
    throw new Error(`failed to decrypt DEK, error: ${why}`)
  }

  isStale(stored: Buffer): boolean {
    if (!startsWith(stored, this.prefix)) return true
    const { keyId, encryptedDekSourceType } = this.#decode(stored)
    const now = this.#writeKey?.envelope
    return keyId !== now?.keyId || encryptedDekSourceType !== now.encryptedDekSourceType
  }

  prepare(stored: Buffer): Promise<void> | undefined {
    if (!startsWith(stored, this.prefix)) return undefined
    const envelope = this.#decode(stored)
    const digest = digestOf(envelope)
    if (this.#ciphers.has(digest)) return undefined
    const running = this.#fetching.get(digest)
    if (running !== undefined) return running
    const fetching = this.#fetch(digest, envelope).finally(() => this.#fetching.delete(digest))
    this.#fetching.set(digest, fetching)
    return fetching
  }

  async #fetch(digest: string, envelope: EncryptedObject): Promise<void> {
    try {
      const key = await this.#service.decrypt(envelope, this.#random.uuid())
      const isSeed = envelope.encryptedDekSourceType === seedType
      this.#ciphers.set(
        digest,
        isSeed ? seedCipher(key, this.#random) : gcmCipher(key, this.#random),
      )
      this.#failures.delete(digest)
    } catch (error) {
      this.#failures.set(digest, messageOf(error))
    }
  }

  #decode(stored: Buffer): EncryptedObject {
    return this.#service.decode(stored.subarray(this.prefix.length))
  }

  async #probe(): Promise<void> {
    // The lifetime starts before the call.
    const expiresAt = this.#clock.now() + writeKeyMs
    const { healthz, version, keyId } = await this.#service.status()
    if (healthz !== 'ok') throw new Error(`got unexpected healthz status: ${healthz}`)
    if (!versions.has(version)) throw new Error(`expected KMSv2 API version v2, got ${version}`)
    refuseKeyId(keyId)
    if (this.#writeKey?.envelope.keyId === keyId) {
      this.#writeKey.expiresAt = expiresAt
      return
    }
    const seed = this.#random.bytes(seedBytes)
    const encrypted = await this.#service.encrypt(seed, this.#random.uuid())
    refuseKeyId(encrypted.keyId)
    if (encrypted.keyId !== keyId)
      throw new Error('the key ID changed between status and encryption')
    const { ciphertext, annotations } = encrypted
    if (ciphertext.length === 0 || ciphertext.length > maxSourceBytes)
      throw new Error(
        `encrypted DEK source has ${ciphertext.length} bytes, not 1 to ${maxSourceBytes}`,
      )
    const envelope = {
      keyId,
      encryptedDekSource: ciphertext,
      annotations,
      encryptedDekSourceType: seedType,
    }
    const cipher = seedCipher(seed, this.#random)
    this.#ciphers.set(digestOf(envelope), cipher)
    this.#writeKey = { cipher, envelope, expiresAt }
  }
}

function refuseKeyId(keyId: string): void {
  const bytes = Buffer.byteLength(keyId)
  if (bytes === 0) throw new Error('got invalid KMSv2 KeyID: keyID is empty')
  if (bytes > maxKeyIdBytes)
    throw new Error(`got invalid KMSv2 KeyID: keyID is ${bytes} bytes, more than ${maxKeyIdBytes}`)
}

function digestOf(envelope: Omit<EncryptedObject, 'encryptedData'>): string {
  const { keyId, encryptedDekSource, encryptedDekSourceType, annotations } = envelope
  const hash = createHash('sha256').update(`${encryptedDekSourceType}\0${keyId}\0`)
  hash.update(encryptedDekSource)
  for (const [name, value] of Object.entries(annotations ?? {}).sort(([a], [b]) =>
    a < b ? -1 : 1,
  ))
    hash.update(`\0${name}\0`).update(value)
  return hash.digest('base64')
}
