import type { WebSocket } from 'ws'
import type { Framing, Sink } from './sink.ts'

const maxBufferedBytes = 16 * 1024
const newline = 0x0a

/**
 * Frames as websocket messages, one event per message: lines as text including the line feed, frames with a length as
 * binary without it. Messages from the client are read and ignored. Source: reference 5.4.
 */
export class WebSocketSink implements Sink {
  readonly #socket: WebSocket
  readonly #framing: Framing
  #drain: (() => void) | undefined
  #isFull = false

  constructor(socket: WebSocket, framing: Framing = 'lines') {
    this.#socket = socket
    this.#framing = framing
    socket.on('error', () => socket.terminate())
    socket.on('message', () => undefined)
  }

  write(frames: Buffer): boolean {
    const binary = this.#framing === 'lengths'
    for (const message of binary ? withoutLengths(frames) : lines(frames)) {
      this.#socket.send(message, { binary }, () => this.#sent())
    }
    this.#isFull = this.#socket.bufferedAmount > maxBufferedBytes
    return !this.#isFull
  }

  onDrain(callback: () => void): void {
    this.#drain = callback
  }

  onClose(callback: () => void): void {
    if (this.#socket.readyState === this.#socket.CLOSED) queueMicrotask(callback)
    else this.#socket.once('close', callback)
  }

  end(): void {
    this.#socket.close(1000)
  }

  cutOff(): void {
    this.#socket.terminate()
  }

  #sent(): void {
    if (!this.#isFull || this.#socket.bufferedAmount > maxBufferedBytes / 2) return
    this.#isFull = false
    this.#drain?.()
  }
}

function* lines(frames: Buffer): Generator<Buffer> {
  let start = 0
  while (start < frames.length) {
    const end = frames.indexOf(newline, start) + 1
    const message = frames.subarray(start, end === 0 ? frames.length : end)
    yield message
    start += message.length
  }
}

function* withoutLengths(frames: Buffer): Generator<Buffer> {
  let start = 0
  while (start + 4 <= frames.length) {
    const end = start + 4 + frames.readUInt32BE(start)
    yield frames.subarray(start + 4, end)
    start = end
  }
}
