import { frameFlag, frameHead, frameType, maxFrameBytes, type Frame } from './frames.ts'

/** Initial window of streams and of the connection. Source: RFC 9113, section 6.9.2. */
const firstWindow = 65_535
const largestWindow = 2 ** 31 - 1

interface Sending {
  /** Block to start with; undefined: started. */
  headers: Buffer | undefined
  /** Bytes that the receiver accepts. */
  window: number
  bodies: Buffer[]
  /** True if nothing follows the bodies. */
  isWhole: boolean
}

/**
 * Sends frames: those of one turn of the event loop together, which saves system calls, and bodies as the windows of
 * the receiver permit.
 */
export class Outgoing {
  readonly #write: (bytes: Buffer) => void
  readonly #flush = () => {
    const bytes = Buffer.concat(this.#frames)
    this.#frames = []
    this.#write(bytes)
  }
  #frames: Buffer[] = []
  readonly #streams = new Map<number, Sending>()
  /** Streams with bytes that wait for a window, or for the end of another stream. In order. */
  readonly #waiting = new Set<number>()
  #window = firstWindow
  #initialWindow = firstWindow
  #mostStreams = Infinity
  #started = 0

  constructor(write: (bytes: Buffer) => void) {
    this.#write = write
  }

  bytes(...bytes: readonly Buffer[]): void {
    if (this.#frames.length === 0) setImmediate(this.#flush)
    this.#frames.push(...bytes)
  }

  frame({ payload, ...head }: Frame): void {
    this.bytes(frameHead(payload.length, head), payload)
  }

  /** Starts a stream, whose number is above all previous ones. */
  start(stream: number, headers: Buffer): void {
    const sending = { headers, window: this.#initialWindow, bodies: [], isWhole: false }
    this.#streams.set(stream, sending)
    this.#proceed(stream, sending)
  }

  /** Sends a body, which is not empty. `isLast`: the stream ends with it. */
  send(stream: number, body: Buffer, { isLast }: { isLast: boolean }): void {
    const sending = this.#streams.get(stream)
    if (sending === undefined) return
    sending.bodies.push(body)
    sending.isWhole = isLast
    this.#proceed(stream, sending)
  }

  /** Ends a stream. Returns how much of it was sent. */
  forget(stream: number): 'unsent' | 'partial' | 'whole' {
    const sending = this.#streams.get(stream)
    this.#streams.delete(stream)
    this.#waiting.delete(stream)
    if (sending === undefined || sending.headers !== undefined) return 'unsent'
    this.#started--
    this.#proceedAll()
    return sending.isWhole && sending.bodies.length === 0 ? 'whole' : 'partial'
  }

  /** Stream 0: the connection. @throws Error if the window is too large. */
  growWindow(stream: number, bytes: number): void {
    const sending = this.#streams.get(stream)
    if (stream === 0) this.#window += bytes
    else if (sending !== undefined) sending.window += bytes
    const window = sending?.window ?? this.#window
    if (window > largestWindow) throw new Error(`a window grows to ${window} bytes`)
    this.#proceedAll()
  }

  setInitialWindow(bytes: number): void {
    for (const sending of this.#streams.values()) sending.window += bytes - this.#initialWindow
    this.#initialWindow = bytes
    this.#proceedAll()
  }

  setMostStreams(count: number): void {
    this.#mostStreams = count
    this.#proceedAll()
  }

  #proceedAll(): void {
    for (const stream of [...this.#waiting]) {
      const sending = this.#streams.get(stream)
      if (sending !== undefined) this.#proceed(stream, sending)
    }
  }

  #proceed(stream: number, sending: Sending): void {
    const { headers } = sending
    if (headers !== undefined && this.#started < this.#mostStreams) {
      this.#started++
      sending.headers = undefined
      const [type, flags] = [frameType.headers, frameFlag.endHeaders]
      this.frame({ type, flags, stream, payload: headers })
    }
    const isDone = sending.headers === undefined && this.#sendBodies(stream, sending)
    if (isDone) this.#waiting.delete(stream)
    else this.#waiting.add(stream)
  }

  /** Sends what the windows permit; true if that is everything. */
  #sendBodies(stream: number, sending: Sending): boolean {
    const { bodies } = sending
    for (let body = bodies[0]; body !== undefined; body = bodies[0]) {
      const size = Math.min(body.length, maxFrameBytes, this.#window, sending.window)
      if (size <= 0) return false
      this.#window -= size
      sending.window -= size
      if (size < body.length) bodies[0] = body.subarray(size)
      else bodies.shift()
      const flags = sending.isWhole && bodies.length === 0 ? frameFlag.endStream : 0
      this.frame({ type: frameType.data, flags, stream, payload: body.subarray(0, size) })
    }
    return true
  }
}
