import { createCipheriv, createDecipheriv, hash } from 'node:crypto'
import type { Clock, Random } from '../../../meta/clock.ts'
import { badRequest } from '../../../meta/statusErrors.ts'
import type { LoginRecords } from './loginRecords.ts'
import { brokenLogin } from '../loginRefusals.ts'
import type { LoginTarget } from '../loginTarget.ts'

/** Time for a login at the provider. */
const lifeMs = 10 * 60 * 1000
/** Browsers drop cookies of more than 4,096 bytes, with their name and attributes. */
const maxCookieBytes = 3_800
const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** A login that waits for the browser to return. */
export interface PendingLogin {
  /** State of the connector, JSON. */
  kept: unknown
  /** Continuation of the login. */
  target: LoginTarget
}

export interface PendingLoginsOptions {
  clock: Clock
  random: Random
  records: LoginRecords
  /** Key that seals pending logins, 64 hexadecimal digits, the same on all servers that share the storage. */
  secret: () => Promise<string>
}

interface Sealed extends PendingLogin {
  until: number
}

/**
 * Logins in progress at a provider: each allows one return, within ten minutes, by the browser that started it. The
 * browser keeps a login in a sealed cookie, so that starting logins stores nothing, and any server can finish one. Only
 * the return is recorded. The seal covers the state and the connector, so a cookie cannot finish another login.
 */
export class PendingLogins {
  readonly #options: PendingLoginsOptions

  constructor(options: PendingLoginsOptions) {
    this.#options = options
  }

  /** The state of a new login, which is passed through the provider. */
  newState(): string {
    return this.#options.random.bytes(32).toString('base64url')
  }

  /** The cookie of a login. @throws StatusError BadRequest for one that is too large. */
  async seal(state: string, connector: string, login: PendingLogin): Promise<string> {
    const { clock, random } = this.#options
    const sealed: Sealed = { ...login, until: clock.now() + lifeMs }
    const nonce = random.bytes(nonceBytes)
    const cipher = createCipheriv(algorithm, await this.#key(), nonce)
    cipher.setAAD(boundTo(state, connector))
    const parts = [nonce, cipher.update(JSON.stringify(sealed)), cipher.final()]
    const cookie = Buffer.concat([...parts, cipher.getAuthTag()]).toString('base64url')
    if (cookie.length > maxCookieBytes) throw badRequest('the parameters of the login are too long')
    return cookie
  }

  /** Ends a pending login, whatever its result. @throws StatusError Unauthorized. */
  async take(state: string, connector: string, cookie: string): Promise<PendingLogin> {
    const { clock, records } = this.#options
    const login = opened(cookie, await this.#key(), boundTo(state, connector))
    if (login === undefined || login.until <= clock.now()) throw unknown()
    if (!(await records.use(state, login.until))) throw unknown()
    return login
  }

  async #key(): Promise<Buffer> {
    return Buffer.from(await this.#options.secret(), 'hex')
  }
}

function boundTo(state: string, connector: string): Buffer {
  return Buffer.from(hash('sha256', `${connector} ${state}`))
}

/** Opens a cookie; undefined: it belongs to another login. */
function opened(cookie: string, key: Buffer, bound: Buffer): Sealed | undefined {
  const bytes = Buffer.from(cookie, 'base64url')
  if (bytes.length < nonceBytes + tagBytes) return undefined
  const nonce = bytes.subarray(0, nonceBytes)
  const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes })
  decipher.setAAD(bound)
  decipher.setAuthTag(bytes.subarray(bytes.length - tagBytes))
  try {
    const text = decipher.update(bytes.subarray(nonceBytes, bytes.length - tagBytes))
    // Sound: only `seal` creates content that the key decrypts.
    return JSON.parse(Buffer.concat([text, decipher.final()]).toString()) as Sealed
  } catch {
    return undefined
  }
}

function unknown(): Error {
  return brokenLogin(
    'this login is not known any more: it was used, took too long, or was started in another browser; please begin again',
  )
}
