import type { Timer } from '../../meta/clock.ts'
import { messageOf } from '../../meta/messageOf.ts'
import { StorageError } from '../errors.ts'
import { buildRules, type Rules } from './buildRules.ts'
import type { CipherSurroundings } from './cipher.ts'
import { loadConfiguration } from './decodeConfiguration.ts'
import { isSealed, sealedWith, type Sealing } from './sealing.ts'
import { startsWith } from './keyedTransformer.ts'
import type { Transformer } from './transformer.ts'

export interface EncryptionOptions extends CipherSurroundings {
  /** File of an EncryptionConfiguration. */
  path: string
  /** True if the file is read again when it changes. */
  isReloaded: boolean
  /** Called after the file was read again. Default: ignored. */
  onReloaded?: () => void
  /**
   * Called if the changed file is invalid; the previous configuration stays in effect. Default:
   * ignored.
   */
  onRefused?: (error: unknown) => void
}

const reloadMs = 2_000

/** Encryption at rest by an EncryptionConfiguration. Source: reference of kube-apiserver, `--encryption-provider-config`. */
export class Encryption implements Sealing {
  readonly #options: EncryptionOptions
  #rules: Rules
  #hash: string
  #timer: Timer | undefined
  #lastRefused: string | undefined
  #isStopped = false

  /** @throws StartError. */
  static async open(options: EncryptionOptions): Promise<Encryption> {
    const { path, isReloaded } = options
    const { configuration, hash } = await loadConfiguration(path, isReloaded)
    return new Encryption(options, await buildRules(configuration, options), hash)
  }

  private constructor(options: EncryptionOptions, rules: Rules, hash: string) {
    this.#options = options
    this.#rules = rules
    this.#hash = hash
    if (options.isReloaded) this.#arm()
  }

  stop(): void {
    this.#isStopped = true
    this.#timer?.cancel()
    for (const one of this.#rules.kms) one.stop()
  }

  /** Checks the KMS plugins. @throws Error with the reason if one cannot be used. */
  checkKms(): void {
    const failures = this.#rules.kms.flatMap(({ failure }) => failure ?? [])
    if (failures.length > 0) throw new Error(failures.join(', '))
  }

  seal(key: string, value: Buffer): Buffer {
    const [writer] = this.#rules.set.of(key) ?? []
    if (writer === undefined) return value
    try {
      return writer.seal(value, key)
    } catch (cause) {
      throw new StorageError('Unavailable', `${key} cannot be encrypted: ${messageOf(cause)}`, {
        key,
        cause,
      })
    }
  }

  prepare(stored: Iterable<Uint8Array | undefined>): Promise<void> | undefined {
    const { kms } = this.#rules
    if (kms.length === 0) return undefined
    const fetching: Promise<void>[] = []
    for (const bytes of stored) {
      if (bytes === undefined || !isSealed(bytes)) continue
      const value = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      for (const one of kms) {
        const promise = one.prepare(value)
        if (promise !== undefined) fetching.push(promise)
      }
    }
    return fetching.length === 0 ? undefined : Promise.all(fetching).then(() => undefined)
  }

  open(key: string, stored: Buffer): Buffer {
    const transformers = this.#rules.set.of(key)
    const sealed = isSealed(stored)
    if (transformers === undefined && !sealed) return stored
    let failure: unknown
    for (const one of transformers ?? []) {
      if (one.prefix.length === 0 ? sealed : !startsWith(stored, one.prefix)) continue
      try {
        return one.open(stored, key)
      } catch (cause) {
        failure = cause
      }
    }
    throw cannotOpen({ key, stored, failure })
  }

  isStale(key: string, stored: Buffer): boolean {
    const [writer] = this.#rules.set.of(key) ?? []
    if (writer === undefined || isIdentity(writer)) return isSealed(stored)
    return !startsWith(stored, writer.prefix) || writer.isStale(stored)
  }

  #arm(): void {
    this.#timer = this.#options.clock.setTimer(() => {
      void this.#reload().finally(() => {
        if (!this.#isStopped) this.#arm()
      })
    }, reloadMs)
  }

  /** Reads the file again. Never rejects. */
  async #reload(): Promise<void> {
    const { path, onReloaded, onRefused } = this.#options
    try {
      const { configuration, hash } = await loadConfiguration(path, true)
      if (hash === this.#hash || this.#isStopped) return
      const rules = await buildRules(configuration, this.#options)
      const unusable = rules.kms.find(({ failure }) => failure !== undefined)
      if (unusable !== undefined || this.#isStopped) {
        for (const one of rules.kms) one.stop()
        throw new Error(unusable?.failure ?? 'the server is stopping')
      }
      for (const one of this.#rules.kms) one.stop()
      this.#rules = rules
      this.#hash = hash
      this.#lastRefused = undefined
      onReloaded?.()
    } catch (error) {
      this.#refuse(error, onRefused)
    }
  }

  /** Reports each reason once, not at every reading of the same file. */
  #refuse(error: unknown, report: ((error: unknown) => void) | undefined): void {
    const why = messageOf(error)
    if (why === this.#lastRefused || this.#isStopped) return
    this.#lastRefused = why
    report?.(error)
  }
}

function isIdentity({ prefix }: Transformer): boolean {
  return prefix.length === 0
}

function cannotOpen({ key, stored, failure }: { key: string; stored: Buffer; failure: unknown }) {
  if (!isSealed(stored)) {
    const message =
      `${key} is not encrypted, and its rule in --encryption-provider-config has no identity provider: ` +
      'add "identity: {}" as the last one until every object is encrypted'
    return new StorageError('Sealed', message, { key })
  }
  const why = `${key} is encrypted by ${sealedWith(stored)}`
  const message =
    failure === undefined
      ? `${why}, which --encryption-provider-config does not have for it`
      : `${why}, but cannot be decrypted by it: ${messageOf(failure)}`
  return new StorageError('Sealed', message, { key, cause: failure })
}
