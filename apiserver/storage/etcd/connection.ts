import type { OutgoingHttpHeaders } from 'node:http2'
import type { Clock } from '../../meta/clock.ts'
import { CallError, status } from './callErrors.ts'
import type { Method, WatchRequest, WatchResponse } from './messages.ts'
import type { Call } from './transport/call.ts'
import { Channel, type ChannelOptions } from './transport/channel.ts'
import type { Session } from './transport/session.ts'

export interface CallSettings {
  token?: string | undefined
  /** True to end the call when the member has lost its leader. Default false. */
  needsLeader?: boolean
}

export interface WatchEvents {
  onResponse: (response: WatchResponse, watch: WatchCall) => void
  /** Called once, unless the watch is cancelled. */
  onEnd: (error: Error) => void
}

/** A stream of watches. */
export interface WatchCall {
  write(request: WatchRequest): void
  /** Holds responses back until `resume`. */
  pause(): void
  resume(): void
  /** Ends the stream, without an event. */
  cancel(): void
}

/** Connection to one etcd member, shared by calls and streams. It reconnects automatically. */
export class Connection {
  readonly #clock: Clock
  readonly #channel: Channel
  /** Headers by path, of calls with the newest token. */
  readonly #known = new Map<string, OutgoingHttpHeaders>()
  #token: string | undefined

  constructor(options: ChannelOptions) {
    this.#clock = options.clock
    this.#channel = new Channel(options)
  }

  /** Makes a call. @throws CallError. */
  async call(
    { path, encode, decode }: Method,
    request: object,
    { timeoutMs, ...settings }: CallSettings & { timeoutMs: number },
  ): Promise<unknown> {
    const headers = this.#headers(path, settings)
    return decode(await this.#unary(headers, encode(request), timeoutMs))
  }

  /** Opens a stream of watches. @throws CallError. */
  async openWatch(
    { path, encode, decode }: Method,
    { onResponse, onEnd }: WatchEvents,
    settings: CallSettings,
  ): Promise<WatchCall> {
    const session = this.#channel.session ?? (await this.#channel.connected())
    const call = session.open(this.#headers(path, settings), {
      // Sound: the method decodes watch responses.
      onMessage: (bytes) => onResponse(decode(bytes) as WatchResponse, watch),
      onEnd: (error) => onEnd(error ?? new Error('the watch has ended')),
    })
    const watch: WatchCall = {
      write: (request) => call.send(encode(request), { isLast: false }),
      pause: () => call.pause(),
      resume: () => call.resume(),
      cancel: () => call.cancel(),
    }
    return watch
  }

  close(): void {
    this.#channel.close()
  }

  #unary(headers: OutgoingHttpHeaders, request: Uint8Array, timeoutMs: number): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      let call: Call | undefined
      let response: Buffer | undefined
      let isLate = false
      const timer = this.#clock.setTimer(() => {
        isLate = true
        call?.cancel()
        reject(new CallError(status.deadlineExceeded, `no response within ${timeoutMs} ms`))
      }, timeoutMs)
      const end = (error: Error | undefined): void => {
        timer.cancel()
        if (error !== undefined) reject(error)
        else if (response !== undefined) resolve(response)
        else reject(new CallError(status.internal, 'the response is empty'))
      }
      const begin = (session: Session): void => {
        if (isLate) return
        call = session.open(headers, { onMessage: (bytes) => (response = bytes), onEnd: end })
        call.send(request, { isLast: true })
      }
      const { session } = this.#channel
      if (session === undefined) this.#channel.connected().then(begin).catch(end)
      else begin(session)
    })
  }

  #headers(path: string, { token, needsLeader }: CallSettings): OutgoingHttpHeaders {
    if (token !== this.#token) this.#known.clear()
    this.#token = token
    const known = this.#known.get(path)
    if (known !== undefined) return known
    const { authority, isSecure } = this.#channel
    const headers = {
      ':method': 'POST',
      ':scheme': isSecure ? 'https' : 'http',
      ':authority': authority,
      ':path': path,
      'content-type': 'application/grpc',
      te: 'trailers',
      ...(token === undefined ? {} : { token }),
      ...(needsLeader === true ? { hasleader: 'true' } : {}),
    }
    this.#known.set(path, headers)
    return headers
  }
}
