import {
  constants,
  type ClientHttp2Stream,
  type Http2Session,
  type IncomingHttpHeaders,
} from 'node:http2'
import { messageOf } from '../../../meta/messageOf.ts'
import { guarded } from '../../../meta/waiting/guarded.ts'
import { CallError, status } from '../callErrors.ts'
import { MessageReader, withLength } from './messageReader.ts'

export interface CallEvents {
  onMessage: (bytes: Buffer) => void
  /** Called once, after which nothing follows. Undefined: the call has succeeded. */
  onEnd: (error: CallError | undefined) => void
}

/** Source: gRPC, "HTTP to gRPC Status Code Mapping". */
const statusOfHttp: Readonly<Record<string, number>> = {
  400: status.internal,
  401: status.unauthenticated,
  403: status.permissionDenied,
  404: status.unimplemented,
  429: status.unavailable,
  502: status.unavailable,
  503: status.unavailable,
  504: status.unavailable,
}

/**
 * Call in progress: a stream of HTTP/2. While it is paused, the peer may send only as much as fits the window.
 * Source: "gRPC over HTTP2".
 */
export class Call {
  readonly #stream: ClientHttp2Stream
  readonly #http: Http2Session | undefined
  readonly #events: CallEvents
  readonly #onDone: () => void
  readonly #reader = new MessageReader()
  #headers: IncomingHttpHeaders = {}
  /** Fields with the status of the call; those of the headers if no message precedes the status. */
  #trailers: IncomingHttpHeaders = {}
  /** Messages of a chunk in which the call was paused. */
  #held: Buffer[] = []
  #isPaused = false
  #isEnded = false

  /** `onDone`: called once, when the call has ended or is cancelled. */
  constructor(stream: ClientHttp2Stream, events: CallEvents, onDone: () => void) {
    this.#stream = stream
    this.#http = stream.session
    this.#events = events
    this.#onDone = onDone
    this.#on('response', (headers: IncomingHttpHeaders) => {
      this.#headers = this.#trailers = headers
    })
    this.#on('trailers', (trailers: IncomingHttpHeaders) => (this.#trailers = trailers))
    this.#on('data', (chunk: Buffer) => this.#take(chunk))
    this.#on('end', () => this.#finish())
    this.#on('error', (error: Error) => this.#end(this.#lost(error.message, error)))
    this.#on('close', () => this.#finish())
  }

  /** Listens to the stream. An exception ends the call alone. */
  #on<Arg>(event: string, listener: (arg: Arg) => void): void {
    const failed = (error: unknown) =>
      this.#end(new CallError(status.internal, messageOf(error), { cause: error }))
    this.#stream.on(event, guarded('etcdCall.event', failed, listener))
  }

  /** Sends a message. `isLast`: no more follow. */
  send(message: Uint8Array, { isLast }: { isLast: boolean }): void {
    if (isLast) this.#stream.end(withLength(message))
    else this.#stream.write(withLength(message))
  }

  /** Holds messages back until `resume`. */
  pause(): void {
    this.#isPaused = true
    this.#stream.pause()
  }

  resume(): void {
    this.#isPaused = false
    this.#deliver([])
    if (!this.#isPaused) this.#stream.resume()
  }

  /** Ends the call, without an event. */
  cancel(): void {
    if (!this.#isEnded) this.#leave()
  }

  #take(chunk: Buffer): void {
    if (this.#isEnded) return
    try {
      this.#deliver(this.#reader.read(chunk))
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      this.#end(new CallError(status.internal, message, { cause: error }))
    }
  }

  #deliver(messages: readonly Buffer[]): void {
    this.#held.push(...messages)
    while (!this.#isPaused) {
      const message = this.#held.shift()
      if (message === undefined) return
      this.#events.onMessage(message)
    }
  }

  #finish(): void {
    if (!this.#isEnded) this.#end(this.#outcome())
  }

  /** Error of the response; undefined: it has succeeded. */
  #outcome(): CallError | undefined {
    const { 'grpc-status': code, 'grpc-message': message = '' } = this.#trailers
    if (code === '0') return undefined
    if (code !== undefined) return new CallError(Number(code), unescaped(String(message)))
    const { rstCode } = this.#stream
    if (this.#http?.destroyed === true) return this.#lost('the connection was closed')
    if (rstCode !== constants.NGHTTP2_NO_ERROR)
      return this.#lost(`the call was reset with code ${rstCode}`)
    const found = String(this.#headers[':status'] ?? '')
    const mapped = statusOfHttp[found] ?? status.unknown
    return new CallError(mapped, `HTTP status ${found} without a gRPC status`)
  }

  /** A peer that refuses a stream has not processed it; so are those above the last one that GOAWAY names. */
  #lost(message: string, cause?: Error): CallError {
    const isUnsent = this.#stream.rstCode === constants.NGHTTP2_REFUSED_STREAM
    return new CallError(status.unavailable, message, { cause, isUnsent })
  }

  #end(error: CallError | undefined): void {
    if (this.#isEnded) return
    this.#leave()
    this.#events.onEnd(error)
  }

  /** Drops messages that are held back. The peer is told if the request or the response is incomplete. */
  #leave(): void {
    this.#isEnded = true
    this.#held = []
    const stream = this.#stream
    if (!stream.writableFinished || !stream.readableEnded) stream.close(constants.NGHTTP2_CANCEL)
    this.#onDone()
  }
}

function unescaped(message: string): string {
  try {
    return decodeURIComponent(message)
  } catch {
    return message
  }
}
