import { connect as connectPlain, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { Clock } from '../../../meta/clock.ts'
import { CallError, status } from '../callErrors.ts'
import { Session } from './session.ts'

export interface Credentials {
  /** PEM of the CAs. Absent: the system's CAs. */
  ca?: Buffer
  /** PEM of a client certificate and its key. */
  cert?: Buffer
  key?: Buffer
}

export interface ChannelOptions {
  /** `http://host:port`, `https://host:port` or `host:port`. */
  endpoint: string
  credentials: Credentials
  clock: Clock
}

const connectWithinMs = 5_000
const firstDelayMs = 100
const longestDelayMs = 5_000
const delayFactor = 1.6

/** Connection to one server, made when it is first needed and again when it is lost. */
export class Channel {
  readonly #options: ChannelOptions
  readonly #url: URL
  /** All connections, with those that end when their last call does. */
  readonly #sessions = new Set<Session>()
  #session: Session | undefined
  #connecting: Promise<Session> | undefined
  /** Set after a failed attempt. */
  #failure: { error: CallError; delayMs: number; until: number } | undefined
  #isClosed = false

  constructor(options: ChannelOptions) {
    const { endpoint } = options
    this.#options = options
    this.#url = new URL(endpoint.includes('://') ? endpoint : `http://${endpoint}`)
  }

  /** Value of the header `:authority`. */
  get authority(): string {
    return this.#url.host
  }

  get isSecure(): boolean {
    return this.#url.protocol === 'https:'
  }

  /** Connection for a call; undefined: there is none now. */
  get session(): Session | undefined {
    return this.#session?.isOpen === true ? this.#session : undefined
  }

  /** Connects, except shortly after a failed attempt. @throws CallError. */
  async connected(): Promise<Session> {
    const { session } = this
    if (session !== undefined) return session
    const failed = this.#failure
    if (failed !== undefined && this.#options.clock.now() < failed.until) throw failed.error
    if (this.#isClosed) throw unsent('the client is closed')
    this.#connecting ??= this.#connect().finally(() => (this.#connecting = undefined))
    const made = await this.#connecting
    if (!made.isOpen) throw unsent(`${this.#options.endpoint} has closed the connection at once`)
    return made
  }

  /** Ends all calls, and refuses further ones. */
  close(): void {
    this.#isClosed = true
    for (const session of this.#sessions) session.close(new Error('the client is closed'))
  }

  async #connect(): Promise<Session> {
    const { clock } = this.#options
    try {
      this.#session = await this.#attempt()
      this.#failure = undefined
      return this.#session
    } catch (thrown) {
      const cause = thrown instanceof Error ? thrown : new Error(String(thrown))
      const message = `no connection to ${this.#options.endpoint}: ${cause.message}`
      const error = unsent(message, cause)
      const longer = (this.#failure?.delayMs ?? firstDelayMs / delayFactor) * delayFactor
      const delayMs = Math.min(longestDelayMs, longer)
      this.#failure = { error, delayMs, until: clock.now() + delayMs }
      throw error
    }
  }

  #attempt(): Promise<Session> {
    const { clock } = this.#options
    return new Promise((resolve, reject) => {
      const session: Session = new Session({
        socket: this.#openSocket(),
        clock,
        onReady: () => {
          timer.cancel()
          resolve(session)
        },
        onClosed: (error) => {
          timer.cancel()
          this.#sessions.delete(session)
          reject(error)
        },
      })
      this.#sessions.add(session)
      const timer = clock.setTimer(() => {
        session.close(new Error(`no answer within ${connectWithinMs / 1000} seconds`))
      }, connectWithinMs)
    })
  }

  #openSocket(): Socket {
    const { ca, cert, key } = this.#options.credentials
    const host = this.#url.hostname.replace(/^\[|\]$/g, '')
    const port = Number(this.#url.port || (this.isSecure ? 443 : 80))
    const where = { host, port, noDelay: true }
    if (!this.isSecure) return connectPlain(where)
    return connectTls({
      ...where,
      ...(isIP(host) === 0 ? { servername: host } : {}),
      ...(ca === undefined ? {} : { ca }),
      ...(cert === undefined ? {} : { cert }),
      ...(key === undefined ? {} : { key }),
      ALPNProtocols: ['h2'],
    })
  }
}

function unsent(message: string, cause?: Error): CallError {
  return new CallError(status.unavailable, message, { cause, isUnsent: true })
}
