import { CallError, status } from '../callErrors.ts'
import { decodeHeaders } from './headerBlock.ts'
import { MessageReader } from './messageReader.ts'

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

/** Responses to a call. While it is paused, the peer may send only as much as fits the window. */
export class Call {
  readonly #events: CallEvents
  readonly #grantWindow: (bytes: number) => void
  readonly #reader = new MessageReader()
  #headers: Buffer | undefined
  #held: Buffer[] = []
  #heldBytes = 0
  #isPaused = false
  #isEnded = false

  constructor(events: CallEvents, grantWindow: (bytes: number) => void) {
    this.#events = events
    this.#grantWindow = grantWindow
  }

  takeHeaders(block: Buffer): void {
    this.#headers ??= block
  }

  /** `windowBytes`: the part of the window that they have used. @throws Error if they are not messages. */
  takeBytes(bytes: Buffer, windowBytes: number): void {
    for (const message of this.#reader.read(bytes)) {
      if (this.#isPaused) this.#held.push(message)
      else this.#deliver(message)
    }
    if (this.#isPaused) this.#heldBytes += windowBytes
    else this.#grantWindow(windowBytes)
  }

  /** Ends the call with the last header block. @throws Error if it is damaged. */
  takeTrailers(block: Buffer): void {
    this.end(statusError(block, this.#headers))
  }

  pause(): void {
    this.#isPaused = true
  }

  resume(): void {
    this.#isPaused = false
    while (this.#held.length > 0 && !this.#isPaused) {
      const message = this.#held.shift()
      if (message !== undefined) this.#deliver(message)
    }
    if (this.#isPaused) return
    const bytes = this.#heldBytes
    this.#heldBytes = 0
    if (!this.#isEnded) this.#grantWindow(bytes)
  }

  /** Messages that are held back are dropped. */
  end(error: CallError | undefined): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#held = []
    this.#events.onEnd(error)
  }

  /** Ends the call without an event. */
  abandon(): void {
    this.#isEnded = true
    this.#held = []
  }

  #deliver(message: Buffer): void {
    if (!this.#isEnded) this.#events.onMessage(message)
  }
}

/** Error of a response; undefined: it has succeeded. */
function statusError(trailers: Buffer, headers: Buffer | undefined): CallError | undefined {
  const { grpcStatus, grpcMessage = '', httpStatus } = decodeHeaders(trailers)
  if (grpcStatus === '0') return undefined
  if (grpcStatus !== undefined) return new CallError(Number(grpcStatus), grpcMessage)
  const found = httpStatus ?? (headers && decodeHeaders(headers).httpStatus) ?? ''
  const code = statusOfHttp[found] ?? status.unknown
  return new CallError(code, `HTTP status ${found} without a gRPC status`)
}
