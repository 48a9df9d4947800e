import type { Clock } from '../../meta/clock.ts'
import { CallError, isOfMember, isTokenRefused } from './callErrors.ts'
import { Connection, type WatchCall, type WatchEvents } from './connection.ts'
import {
  loadMethods,
  type Methods,
  type RangeRequest,
  type RangeResponse,
  type StatusResponse,
  type TxnRequest,
  type TxnResponse,
} from './messages.ts'
import type { Credentials } from './transport/channel.ts'

export interface EtcdAccess {
  /** URLs of the members, `http://host:port` or `https://host:port`. At least one. */
  endpoints: readonly string[]
  credentials: Credentials
  /** Absent: no authentication. */
  login?: { name: string; password: string } | undefined
}

const callMs = 10_000

/** Calls of etcd's API. One member is used until it does not respond, then the next one. */
export class EtcdClient {
  readonly #access: EtcdAccess
  readonly #methods: Methods
  readonly #connections: readonly Connection[]
  #at: number
  #token: string | undefined
  #loggingIn: Promise<void> | undefined

  /** Loads the encoders, without connecting. `first`: selects the first endpoint, in [0, 1). */
  static async load(access: EtcdAccess, clock: Clock, first = 0): Promise<EtcdClient> {
    const methods = await loadMethods()
    const { credentials } = access
    const connections = access.endpoints.map(
      (endpoint) => new Connection({ endpoint, credentials, clock }),
    )
    return new EtcdClient({ access, methods, connections }, first)
  }

  private constructor({ access, methods, connections }: Loaded, first: number) {
    this.#access = access
    this.#methods = methods
    this.#connections = connections
    this.#at = Math.floor(first * connections.length)
  }

  /** A linearizable read. @throws CallError. */
  async range(request: RangeRequest, timeoutMs = callMs): Promise<RangeResponse> {
    return (await this.#read('range', request, timeoutMs)) as RangeResponse // as decoded by `range`
  }

  /** Runs a transaction, once: after a connection error it may have been committed. @throws CallError. */
  async txn(request: TxnRequest): Promise<TxnResponse> {
    for (let left = this.#connections.length; ; left--) {
      try {
        return (await this.#call('txn', request, callMs)) as TxnResponse // as decoded by `txn`
      } catch (error) {
        if (!(error instanceof CallError) || left <= 1 || !error.isUnsent) throw error
      }
    }
  }

  /** Compacts up to a revision. @throws CallError. */
  async compact(revision: number): Promise<void> {
    await this.#read('compact', { revision }, callMs)
  }

  /** Status of the current member. @throws CallError. */
  async status(timeoutMs: number): Promise<StatusResponse> {
    return (await this.#call('status', {}, timeoutMs)) as StatusResponse // as decoded by `status`
  }

  /**
   * Opens a stream of watches at the current member. It ends when that member has no leader.
   * @throws CallError.
   */
  async openWatch(events: WatchEvents): Promise<WatchCall> {
    await this.#loggedIn()
    const settings = { token: this.#token, needsLeader: true }
    return this.#connection().openWatch(this.#methods.watch, events, settings)
  }

  /** Switches to the next member. */
  turnAway(): void {
    this.#at = (this.#at + 1) % this.#connections.length
  }

  close(): void {
    for (const connection of this.#connections) connection.close()
  }

  /** Calls each member once, until one responds. */
  async #read(name: 'range' | 'compact', request: object, timeoutMs: number): Promise<unknown> {
    for (let left = this.#connections.length; ; left--) {
      try {
        return await this.#call(name, request, timeoutMs)
      } catch (error) {
        if (!(error instanceof CallError) || left <= 1 || !isOfMember(error)) throw error
      }
    }
  }

  async #call(name: keyof Methods, request: object, timeoutMs: number): Promise<unknown> {
    await this.#loggedIn()
    const asked = this.#at
    const call = () =>
      this.#connection().call(this.#methods[name], request, {
        timeoutMs,
        token: this.#token,
      })
    try {
      return await call()
    } catch (thrown) {
      const error = asCallError(thrown)
      if (this.#access.login !== undefined && isTokenRefused(error)) {
        // Tokens expire; a call with a refused token had no effect.
        this.#token = undefined
        await this.#loggedIn()
        return call()
      }
      // Other calls may have switched already.
      if (isOfMember(error) && asked === this.#at) this.turnAway()
      throw error
    }
  }

  async #loggedIn(): Promise<void> {
    if (this.#access.login === undefined || this.#token !== undefined) return
    this.#loggingIn ??= this.#logIn(this.#access.login).finally(() => (this.#loggingIn = undefined))
    await this.#loggingIn
  }

  async #logIn(login: object): Promise<void> {
    const settings = { timeoutMs: callMs }
    const answer = await this.#connection().call(this.#methods.authenticate, login, settings)
    this.#token = (answer as { token: string }).token // as decoded by `authenticate`
  }

  #connection(): Connection {
    const connection = this.#connections[this.#at]
    if (connection === undefined) throw new CallError(0, 'no etcd endpoint is given')
    return connection
  }
}

interface Loaded {
  access: EtcdAccess
  methods: Methods
  connections: readonly Connection[]
}

function asCallError(error: unknown): CallError {
  return error instanceof CallError ? error : new CallError(0, String(error), { cause: error })
}
