import type { Duplex } from 'node:stream'
import type { Clock, Timer } from '../../../meta/clock.ts'
import { CallError, status } from '../callErrors.ts'
import { Call, type CallEvents } from './call.ts'
import { contentOf, errorCode, frameFlag, FrameReader, frameType, type Frame } from './frames.ts'
import { withLength } from './messageReader.ts'
import { Outgoing } from './outgoing.ts'

export interface SessionOptions {
  /** A connected socket. */
  socket: Duplex
  clock: Clock
  /** Called when the peer has proven to speak HTTP/2. */
  onReady: () => void
  /** Called once. All calls have ended. */
  onClosed: (error: Error) => void
}

/** Call in progress. */
export interface OpenCall {
  /** `isLast`: no more requests follow. */
  send(message: Uint8Array, options: { isLast: boolean }): void
  /** Holds messages back until `resume`. */
  pause(): void
  resume(): void
  /** Ends the call, without an event. */
  cancel(): void
}

const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
const setting = { tableSize: 1, enablePush: 2, mostStreams: 3, initialWindow: 4 }
const streamWindow = 4 * 1024 * 1024
const connectionWindow = 16 * 1024 * 1024
/** A receiver of smaller grants would spend its time on them. */
const smallestGrant = 64 * 1024
const firstConnectionWindow = 65_535
const lastStream = 2 ** 31 - 1
const pingEveryMs = 10_000
const pongWithinMs = 5_000
/**
 * Delay of answers to pings. The gRPC library of etcd sends one with each request, to measure the connection, unless it
 * waits for the answer to another.
 */
const pongAfterMs = 100

/** HTTP/2 connection that makes gRPC calls. Source: RFC 9113; "gRPC over HTTP2". */
export class Session {
  readonly #options: SessionOptions
  readonly #outgoing: Outgoing
  readonly #reader = new FrameReader()
  readonly #calls = new Map<number, Call>()
  readonly #takers: Readonly<Record<number, (frame: Frame) => void>> = {
    [frameType.data]: (frame) => this.#takeData(frame),
    [frameType.headers]: (frame) => this.#takeHeaders({ ...frame, payload: contentOf(frame) }),
    [frameType.continuation]: (frame) => this.#takeHeaders(frame),
    [frameType.settings]: (frame) => this.#takeSettings(frame),
    [frameType.ping]: (frame) => this.#takePing(frame),
    [frameType.resetStream]: ({ stream, payload }) => this.#takeReset(stream, payload),
    [frameType.goAway]: ({ payload }) => this.#takeGoAway(payload),
    [frameType.windowUpdate]: ({ stream, payload }) =>
      this.#outgoing.growWindow(stream, payload.readUInt32BE(0) & lastStream),
    [frameType.pushPromise]: () => {
      throw new Error('the peer pushes')
    },
  }
  /** Header block that continues in the next frame. */
  #block: { stream: number; flags: number; parts: Buffer[] } | undefined
  #nextStream = 1
  #granted = 0
  #isReady = false
  #isDraining = false
  #hasReceived = false
  #timer: Timer | undefined
  /** Payloads of pings to answer. */
  #pings: Buffer[] = []
  #pongTimer: Timer | undefined
  #closed: Error | undefined

  constructor(options: SessionOptions) {
    const { socket } = options
    this.#options = options
    this.#outgoing = new Outgoing((bytes) => {
      if (this.#closed === undefined) socket.write(bytes)
    })
    socket.on('data', (chunk: Buffer) => this.#receive(chunk))
    socket.on('error', (error) => this.close(error))
    socket.on('close', () => this.close(new Error('the connection was closed')))
    this.#outgoing.bytes(preface)
    this.#sendSettings()
    this.#grant(0, connectionWindow - firstConnectionWindow)
    this.#keepAlive()
  }

  /** True if calls can be opened. */
  get isOpen(): boolean {
    return this.#isReady && !this.#isDraining && this.#closed === undefined
  }

  open(headers: Buffer, events: CallEvents): OpenCall {
    const stream = this.#nextStream
    this.#nextStream += 2
    if (this.#nextStream > lastStream) this.#isDraining = true
    let pending = 0
    const call = new Call(events, (bytes) => {
      pending += bytes
      if (pending < smallestGrant) return
      if (this.#calls.has(stream)) this.#grant(stream, pending)
      pending = 0
    })
    this.#calls.set(stream, call)
    this.#outgoing.start(stream, headers)
    return {
      send: (message, last) => this.#outgoing.send(stream, withLength(message), last),
      pause: () => call.pause(),
      resume: () => call.resume(),
      cancel: () => {
        call.abandon()
        if (this.#calls.delete(stream) && this.#outgoing.forget(stream) !== 'unsent')
          this.#reset(stream)
        this.#closeIfDrained()
      },
    }
  }

  /** Ends all calls with the error and destroys the socket. */
  close(error: Error): void {
    if (this.#closed !== undefined) return
    this.#closed = error
    this.#timer?.cancel()
    this.#pongTimer?.cancel()
    this.#options.socket.destroy()
    const calls = [...this.#calls.values()]
    this.#calls.clear()
    for (const call of calls)
      call.end(new CallError(status.unavailable, error.message, { cause: error }))
    this.#options.onClosed(error)
  }

  #sendSettings(): void {
    const values = [
      [setting.tableSize, 0],
      [setting.enablePush, 0],
      [setting.initialWindow, streamWindow],
    ]
    const payload = Buffer.alloc(values.length * 6)
    for (const [at, [id = 0, value = 0]] of values.entries()) {
      payload.writeUInt16BE(id, at * 6)
      payload.writeUInt32BE(value, at * 6 + 2)
    }
    this.#outgoing.frame({ type: frameType.settings, flags: 0, stream: 0, payload })
  }

  #receive(chunk: Buffer): void {
    this.#hasReceived = true
    try {
      for (const frame of this.#reader.read(chunk)) {
        if (this.#closed !== undefined) return
        this.#take(frame)
      }
    } catch (error) {
      this.close(error instanceof Error ? error : new Error(String(error)))
    }
  }

  #take(frame: Frame): void {
    const { type } = frame
    if (!this.#isReady && type !== frameType.settings) throw new Error('the peer is not HTTP/2')
    if (this.#block !== undefined && type !== frameType.continuation)
      throw new Error('a header block is incomplete')
    // Frames of unknown types are ignored.
    this.#takers[type]?.(frame)
  }

  #takeData(frame: Frame): void {
    const { stream, flags, payload } = frame
    const call = this.#calls.get(stream)
    this.#granted += payload.length
    if (this.#granted >= smallestGrant) {
      this.#grant(0, this.#granted)
      this.#granted = 0
    }
    call?.takeBytes(contentOf(frame), payload.length)
    if ((flags & frameFlag.endStream) === 0 || call === undefined) return
    call.takeTrailers(Buffer.alloc(0))
    this.#ended(stream)
  }

  #takeHeaders({ type, stream, flags, payload }: Frame): void {
    const isFirst = type === frameType.headers
    const block = isFirst ? { stream, flags, parts: [] } : this.#block
    if (block?.stream !== stream) throw new Error('a header block continues another stream')
    block.parts.push(payload)
    this.#block = (flags & frameFlag.endHeaders) === 0 ? block : undefined
    if (this.#block !== undefined) return
    const bytes = Buffer.concat(block.parts)
    const call = this.#calls.get(stream)
    if (call === undefined) return
    if ((block.flags & frameFlag.endStream) === 0) return call.takeHeaders(bytes)
    call.takeTrailers(bytes)
    this.#ended(stream)
  }

  #takeSettings({ flags, payload }: Frame): void {
    if ((flags & frameFlag.ack) !== 0) return
    for (let at = 0; at + 6 <= payload.length; at += 6) {
      const value = payload.readUInt32BE(at + 2)
      const id = payload.readUInt16BE(at)
      if (id === setting.initialWindow) this.#outgoing.setInitialWindow(value)
      if (id === setting.mostStreams) this.#outgoing.setMostStreams(value)
    }
    const acknowledged = { type: frameType.settings, flags: frameFlag.ack, stream: 0 }
    this.#outgoing.frame({ ...acknowledged, payload: Buffer.alloc(0) })
    if (this.#isReady) return
    this.#isReady = true
    this.#options.onReady()
  }

  #takePing({ flags, payload }: Frame): void {
    if ((flags & frameFlag.ack) !== 0) return
    this.#pings.push(Buffer.from(payload))
    if (this.#pings.length > 1) return
    this.#pongTimer = this.#options.clock.setTimer(() => {
      const pong = { type: frameType.ping, flags: frameFlag.ack, stream: 0 }
      for (const ping of this.#pings) this.#outgoing.frame({ ...pong, payload: ping })
      this.#pings = []
    }, pongAfterMs)
  }

  #takeReset(stream: number, payload: Buffer): void {
    const code = payload.readUInt32BE(0)
    const isUnsent = code === errorCode.refusedStream
    const error = new CallError(status.unavailable, `the call was reset with code ${code}`, {
      isUnsent,
    })
    this.#lose(stream, error)
    this.#closeIfDrained()
  }

  /** The peer serves no calls above the last one it names. */
  #takeGoAway(payload: Buffer): void {
    const last = payload.readUInt32BE(0) & lastStream
    const reason = payload.subarray(8).toString('latin1')
    this.#isDraining = true
    const message = `the peer closes the connection: ${reason || payload.readUInt32BE(4)}`
    for (const stream of [...this.#calls.keys()].filter((number) => number > last)) {
      this.#lose(stream, new CallError(status.unavailable, message, { isUnsent: true }))
    }
    this.#closeIfDrained()
  }

  /** Ends a call that the peer has ended; it is told if it has not received the whole request. */
  #ended(stream: number): void {
    this.#calls.delete(stream)
    if (this.#outgoing.forget(stream) === 'partial') this.#reset(stream)
    this.#closeIfDrained()
  }

  /** Ends a call that the peer has forgotten. */
  #lose(stream: number, error: CallError): void {
    this.#calls.get(stream)?.end(error)
    this.#calls.delete(stream)
    this.#outgoing.forget(stream)
  }

  #closeIfDrained(): void {
    if (this.#isDraining && this.#calls.size === 0)
      this.close(new Error('the connection is drained'))
  }

  #reset(stream: number): void {
    const payload = Buffer.alloc(4)
    payload.writeUInt32BE(errorCode.cancel)
    this.#outgoing.frame({ type: frameType.resetStream, flags: 0, stream, payload })
  }

  #grant(stream: number, bytes: number): void {
    const payload = Buffer.alloc(4)
    payload.writeUInt32BE(bytes)
    this.#outgoing.frame({ type: frameType.windowUpdate, flags: 0, stream, payload })
  }

  #keepAlive(): void {
    const { clock } = this.#options
    this.#timer = clock.setTimer(() => {
      // etcd closes connections that send pings without calls.
      if (this.#calls.size === 0) return this.#keepAlive()
      this.#hasReceived = false
      const payload = Buffer.alloc(8)
      this.#outgoing.frame({ type: frameType.ping, flags: 0, stream: 0, payload })
      this.#timer = clock.setTimer(() => {
        if (this.#hasReceived) this.#keepAlive()
        else this.close(new Error('the peer does not answer'))
      }, pongWithinMs)
    }, pingEveryMs)
  }
}
