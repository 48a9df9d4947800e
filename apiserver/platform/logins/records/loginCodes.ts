import { hash, timingSafeEqual } from 'node:crypto'
import type { Clock, Random } from '../../../meta/clock.ts'
import type { LoginRecords } from './loginRecords.ts'
import { brokenLogin } from '../loginRefusals.ts'
import type { ExternalIdentity } from '../users/externalIdentity.ts'

const lifeMs = 5 * 60 * 1000

/** The user of a successful login. */
export interface LoggedIn {
  user: string
  identity?: ExternalIdentity
}

export interface LoginCodesOptions {
  clock: Clock
  random: Random
  records: LoginRecords
}

interface Entry {
  login: LoggedIn
  challenge: string
}

/**
 * Codes, each valid once, of logins started by a command-line client or a tab of the console. A browser brings a code
 * to the client, which exchanges it for an access key with the secret behind its challenge: a code alone is worthless,
 * so it may be part of an address. Valid for five minutes, at any server. Source: RFC 6749, 4.1; RFC 7636 with S256.
 */
export class LoginCodes {
  readonly #options: LoginCodesOptions

  constructor(options: LoginCodesOptions) {
    this.#options = options
  }

  /** Creates a code for a login requested by a client with this challenge. */
  async issue(login: LoggedIn, challenge: string): Promise<string> {
    const { clock, random, records } = this.#options
    const code = random.bytes(20).toString('base64url')
    const entry: Entry = { login, challenge }
    await records.put(code, JSON.stringify(entry), clock.now() + lifeMs)
    return code
  }

  /** Consumes a code, whatever the result. @throws StatusError Unauthorized. */
  async take(code: string, verifier: string): Promise<LoggedIn> {
    const content = await this.#options.records.take(code)
    if (content === undefined)
      throw brokenLogin('this code is not known any more: it was used, or took too long')
    // Sound: `issue` created it.
    const { login, challenge } = JSON.parse(content) as Entry
    const digest = hash('sha256', verifier, 'base64url')
    if (!timingSafeEqual(Buffer.from(digest), Buffer.from(challenge)))
      throw brokenLogin('this code is for another client; please start again')
    return login
  }
}
