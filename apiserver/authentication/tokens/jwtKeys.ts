import { generateKeyPair, type JsonWebKey } from 'node:crypto'
import { promisify } from 'node:util'
import type { JWK } from 'node-jose'
import { formatTime, type Clock } from '../../meta/clock.ts'
import type { SecretKeeper } from '../../runtime/secretFile.ts'

export interface JwtKeysOptions {
  keeper: SecretKeeper
  clock: Clock
  /** How long a token may live at most: as long as that, the keys that it may be signed with are kept. */
  maxLifeMs: number
  /** How long a key signs. Default 90 days; Infinity: for good. */
  signingMs?: number
}

interface KeptKey {
  /** RFC 3339. */
  createdAt: string
  /** With its private part. */
  jwk: JsonWebKey & { kid?: string }
}

const modulusBits = 2048
const defaultSigningMs = 90 * 24 * 60 * 60 * 1000

/** The keys that tokens are signed with: made at first use, kept, and replaced by new ones from time to time. Old ones
 *  verify until no token of theirs can be valid any more. */
export class JwtKeys {
  readonly #options: JwtKeysOptions
  readonly #private = new WeakMap<KeptKey[], JsonWebKey[]>()
  readonly #forUse = new WeakMap<KeptKey['jwk'], Promise<JWK.Key>>()
  #keys: Promise<KeptKey[]> | undefined

  constructor(options: JwtKeysOptions) {
    this.#options = options
  }

  /** The key to sign with now. */
  async signingKey(): Promise<JWK.Key> {
    const [newest] = await this.#current()
    if (newest === undefined) throw new Error('there is always a signing key')
    return this.#imported(newest.jwk)
  }

  /** The key that a token names; undefined: it is not one of these. */
  async verifyingKey(kid: string): Promise<JWK.Key | undefined> {
    const { clock } = this.#options
    const known = (await this.#load()).find(({ jwk }) => jwk.kid === kid)
    if (known === undefined || this.#isPast(known, clock.now())) return undefined
    return this.#imported(known.jwk)
  }

  /** Reading a key takes longer than using it. What verifies with it never shows its private part. */
  #imported(jwk: KeptKey['jwk']): Promise<JWK.Key> {
    let imported = this.#forUse.get(jwk)
    if (imported === undefined) {
      imported = jose().then(({ JWK: keys }) => keys.asKey(jwk))
      this.#forUse.set(jwk, imported)
    }
    return imported
  }

  /** A JSON Web Key Set of the public parts, newest first. Source: RFC 7517. */
  async publicKeys(): Promise<{ keys: JsonWebKey[] }> {
    return { keys: (await this.#current()).map(({ jwk }) => publicPart(jwk)) }
  }

  /** The keys with their private parts, newest first, for a library that signs by itself: the same array until they are
   *  others. A secret. */
  async privateKeys(): Promise<readonly JsonWebKey[]> {
    const keys = await this.#current()
    let made = this.#private.get(keys)
    if (made === undefined) this.#private.set(keys, (made = keys.map(({ jwk }) => jwk)))
    return made
  }

  /** Newest first, with one to sign with. */
  async #current(): Promise<KeptKey[]> {
    const loading = this.#load()
    const keys = await loading
    const now = this.#options.clock.now()
    const [newest] = keys
    if (newest !== undefined && now < Date.parse(newest.createdAt) + this.#signingMs) return keys
    // Whoever asks meanwhile waits for the same new key.
    if (this.#keys === loading) this.#keys = this.#withNewKey(keys, now)
    return this.#load()
  }

  /** A failure is not kept: the next request tries again. */
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
    // Only this class writes what the keeper keeps.
    return text === undefined ? [] : (JSON.parse(text) as KeptKey[])
  }

  async #withNewKey(keys: readonly KeptKey[], now: number): Promise<KeptKey[]> {
    const kept = keys.filter((key) => !this.#isPast(key, now))
    const all = [{ createdAt: formatTime(now), jwk: await newKey() }, ...kept]
    await this.#options.keeper.write(`${JSON.stringify(all)}\n`)
    return all
  }

  #isPast({ createdAt }: KeptKey, now: number): boolean {
    return now >= Date.parse(createdAt) + this.#signingMs + this.#options.maxLifeMs
  }

  get #signingMs(): number {
    return this.#options.signingMs ?? defaultSigningMs
  }
}

/** Made outside of the event loop. */
async function newKey(): Promise<KeptKey['jwk']> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: modulusBits })
  const jwk = privateKey.export({ format: 'jwk' })
  // The thumbprint that RFC 7638 describes.
  const kid = (await (await jose()).JWK.asKey(jwk)).kid
  return { ...jwk, kid, alg: 'RS256', use: 'sig' }
}

function publicPart({ kty, n, e, kid, alg, use }: KeptKey['jwk']): KeptKey['jwk'] {
  return { kty, n, e, kid, alg, use } as KeptKey['jwk'] // the fields that an RSA key shows
}

/** Slow to load, and seldom needed. */
async function jose() {
  return (await import('node-jose')).default
}
