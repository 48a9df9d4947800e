import { connect, constants, type ClientHttp2Session, type OutgoingHttpHeaders } from 'node:http2'
import type { Socket } from 'node:net'
import type { Clock, Timer } from '../../../meta/clock.ts'
import { messageOf } from '../../../meta/messageOf.ts'
import { guarded } from '../../../meta/waiting/guarded.ts'
import { CallError, status } from '../callErrors.ts'
import { Call, type CallEvents } from './call.ts'

export interface SessionOptions {
  /** Socket that connects. */
  socket: Socket
  clock: Clock
  /** Called when the peer has proven to speak HTTP/2. */
  onReady: () => void
  /** Called once. All calls end. */
  onClosed: (error: Error) => void
  /** Number of the last stream. Default: the largest one of HTTP/2. */
  lastStream?: number
}

const streamWindow = 4 * 1024 * 1024
const connectionWindow = 16 * 1024 * 1024
const largestStream = 2 ** 31 - 1
const pingEveryMs = 10_000
const pongWithinMs = 5_000

/** HTTP/2 connection that makes gRPC calls. */
export class Session {
  readonly #options: SessionOptions
  readonly #http: ClientHttp2Session
  #calls = 0
  #isReady = false
  #isExhausted = false
  #hasReceived = false
  #timer: Timer | undefined
  #closed: Error | undefined

  constructor(options: SessionOptions) {
    const { socket } = options
    const http = connect('http://localhost', {
      createConnection: () => socket,
      settings: { enablePush: false, initialWindowSize: streamWindow },
      // The windows limit it already.
      maxSessionMemory: Number.MAX_SAFE_INTEGER,
    })
    this.#options = options
    this.#http = http
    this.#on('connect', () => http.setLocalWindowSize(connectionWindow))
    this.#on('remoteSettings', () => this.#begin())
    this.#on('error', (error: Error) => this.close(error))
    this.#on('close', () => this.close(new Error('the connection was closed')))
    this.#keepAlive()
  }

  /** Listens to the connection. An exception ends it alone. */
  #on<Arg>(event: string, listener: (arg: Arg) => void): void {
    const failed = (error: unknown) => this.close(new Error(messageOf(error), { cause: error }))
    this.#http.on(event, guarded('etcdSession.event', failed, listener))
  }

  /** The peer may change its settings later. */
  #begin(): void {
    if (this.#isReady) return
    this.#isReady = true
    this.#options.onReady()
  }

  /** True if calls can be opened: the peer has not announced the end of the connection. */
  get isOpen(): boolean {
    const { closed, destroyed } = this.#http
    return this.#isReady && !this.#isExhausted && !closed && !destroyed
  }

  /** Starts a call, as soon as the peer permits one more. @throws CallError if the session is not open. */
  open(headers: OutgoingHttpHeaders, events: CallEvents): Call {
    if (!this.isOpen)
      throw new CallError(status.unavailable, 'the connection is closing', { isUnsent: true })
    const { lastStream = largestStream } = this.#options
    const stream = this.#http.request(headers)
    this.#calls++
    this.#isExhausted = stream.id === lastStream
    stream.on('data', () => (this.#hasReceived = true))
    return new Call(stream, events, () => {
      this.#calls--
      if (this.#isExhausted && this.#calls === 0)
        this.close(new Error('the connection has no more streams'))
    })
  }

  /** Ends all calls with the error and destroys the connection. */
  close(error: Error): void {
    if (this.#closed !== undefined) return
    this.#closed = error
    this.#timer?.cancel()
    const { socket, onClosed } = this.#options
    this.#http.destroy(error, constants.NGHTTP2_NO_ERROR)
    // A peer that is gone would not end it.
    socket.destroy()
    onClosed(error)
  }

  #keepAlive(): void {
    const { clock } = this.#options
    const http = this.#http
    this.#timer = clock.setTimer(() => {
      if (http.destroyed) return this.close(new Error('the connection was closed'))
      // etcd closes connections that send pings without calls.
      if (this.#calls === 0) return this.#keepAlive()
      this.#hasReceived = false
      http.ping((error) => (this.#hasReceived ||= error === null))
      this.#timer = clock.setTimer(() => {
        if (this.#hasReceived) this.#keepAlive()
        else this.close(new Error('the peer does not answer'))
      }, pongWithinMs)
    }, pingEveryMs)
  }
}
