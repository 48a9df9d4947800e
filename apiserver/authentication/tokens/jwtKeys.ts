import { generateKeyPair, type JsonWebKey } from 'node:crypto'
import { promisify } from 'node:util'
import type { JWK } from 'node-jose'
import { formatTime, type Clock } from '../../meta/clock.ts'
import type { SecretKeeper } from '../../runtime/files/secretFile.ts'

export interface JwtKeysOptions {
  keeper: SecretKeeper
  clock: Clock
  /**
   * Maximum lifetime of a token, in milliseconds; keys are kept for that long after their last
   * signature.
   */
  maxLifeMs: number
  /** Time in milliseconds that a key is used for signing. Default 90 days; Infinity: forever. */
  signingMs?: number
}

interface KeptKey {
  /** RFC 3339. */
  createdAt: string
  /** The key including its private part. */
  jwk: JsonWebKey & { kid?: string }
}

const modulusBits = 2048
const defaultSigningMs = 90 * 24 * 60 * 60 * 1000

/**
 * Signing keys for tokens, which are generated on first use, stored, and rotated regularly. Old
 * keys verify tokens until none of their tokens can be valid any more.
 */
export class JwtKeys {
  readonly #options: JwtKeysOptions
  readonly #private = new WeakMap<KeptKey[], JsonWebKey[]>()
  readonly #forUse = new WeakMap<KeptKey['jwk'], Promise<JWK.Key>>()
  #keys: Promise<KeptKey[]> | undefined

  constructor(options: JwtKeysOptions) {
    this.#options = options
  }

  /** The current signing key. */
  async signingKey(): Promise<JWK.Key> {
    const [newest] = await this.#current()
    if (newest === undefined) throw new Error('there is always a signing key')
    return this.#imported(newest.jwk)
  }

  /** The key with this key ID; undefined: unknown. */
  async verifyingKey(kid: string): Promise<JWK.Key | undefined> {
    const { clock } = this.#options
    const find = (keys: readonly KeptKey[]) => keys.find(({ jwk }) => jwk.kid === kid)
    let known = find(await this.#load())
    if (known === undefined && this.#options.keeper.isShared) {
      // Another server may have just created the key.
      this.#keys = undefined
      known = find(await this.#load())
    }
    if (known === undefined || this.#isPast(known, clock.now())) return undefined
    return this.#imported(known.jwk)
  }

  /**
   * The imported key, cached because importing takes longer than using it. Verification results
   * never include its private part.
   */
  #imported(jwk: KeptKey['jwk']): Promise<JWK.Key> {
    let imported = this.#forUse.get(jwk)
    if (imported === undefined) {
      imported = jose().then(({ JWK: keys }) => keys.asKey(jwk))
      this.#forUse.set(jwk, imported)
    }
    return imported
  }

  /** The public keys as a JSON Web Key Set, newest first. Source: RFC 7517. */
  async publicKeys(): Promise<{ keys: JsonWebKey[] }> {
    return { keys: (await this.#current()).map(({ jwk }) => publicPart(jwk)) }
  }

  /**
   * Private keys, newest first, for a library that signs by itself. The same array is returned
   * until the keys change. A secret.
   */
  async privateKeys(): Promise<readonly JsonWebKey[]> {
    const keys = await this.#current()
    let made = this.#private.get(keys)
    if (made === undefined) this.#private.set(keys, (made = keys.map(({ jwk }) => jwk)))
    return made
  }

  /** The keys, newest first, rotated first if that is due. */
  async #current(): Promise<KeptKey[]> {
    const loading = this.#load()
    const keys = await loading
    const now = this.#options.clock.now()
    const [newest] = keys
    if (newest !== undefined && now < Date.parse(newest.createdAt) + this.#signingMs) return keys
    // Concurrent callers wait for the same new key.
    if (this.#keys === loading) this.#keys = this.#withNewKey(keys, now)
    return this.#load()
  }

  /** Loads the keys. A failure is not cached, so the next request retries. */
  #load(): Promise<KeptKey[]> {
    this.#keys ??= this.#read()
    const loading = this.#keys
    loading.catch(() => {
      if (this.#keys === loading) this.#keys = undefined
    })
    return loading
  }

  async #read(): Promise<KeptKey[]> {
    const text = await this.#options.keeper.read()
    return text === undefined ? [] : parsed(text)
  }

  async #withNewKey(keys: readonly KeptKey[], now: number): Promise<KeptKey[]> {
    const kept = keys.filter((key) => !this.#isPast(key, now))
    const all = [{ createdAt: formatTime(now), jwk: await newKey() }, ...kept]
    const { keeper } = this.#options
    const previous = keeper.isShared ? await keeper.read() : undefined
    const standing = previous === undefined ? [] : parsed(previous)
    // Another server has already rotated the keys.
    if (previous !== undefined && standing[0]?.createdAt !== keys[0]?.createdAt) return standing
    const text = `${JSON.stringify(all)}\n`
    const standingText = await keeper.replace(previous, text)
    return standingText === text ? all : parsed(standingText)
  }

  #isPast({ createdAt }: KeptKey, now: number): boolean {
    return now >= Date.parse(createdAt) + this.#signingMs + this.#options.maxLifeMs
  }

  get #signingMs(): number {
    return this.#options.signingMs ?? defaultSigningMs
  }
}

/** Parses stored keys. Type-safe, since only `JwtKeys` writes to the keeper. */
function parsed(text: string): KeptKey[] {
  return JSON.parse(text) as KeptKey[]
}

/** Generates a key off the event loop. */
async function newKey(): Promise<KeptKey['jwk']> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: modulusBits })
  const jwk = privateKey.export({ format: 'jwk' })
  // The key ID is the thumbprint of RFC 7638.
  const kid = (await (await jose()).JWK.asKey(jwk)).kid
  return { ...jwk, kid, alg: 'RS256', use: 'sig' }
}

/** Public fields of an RSA or ECDSA key. */
const publicFields = new Set(['kty', 'n', 'e', 'crv', 'x', 'y', 'kid', 'alg', 'use'])

function publicPart(jwk: KeptKey['jwk']): KeptKey['jwk'] {
  return Object.fromEntries(Object.entries(jwk).filter(([name]) => publicFields.has(name)))
}

/** Loaded on demand, since it loads slowly and is rarely needed. */
async function jose() {
  return (await import('node-jose')).default
}
