import type { WebSocket } from 'ws'
import type { Sink } from './sink.ts'

const maxBufferedBytes = 1024 * 1024
const newline = 0x0a

/** Frames as websocket text messages, one event a message, its line feed included. What the client sends is read and
 *  ignored. Source: reference 5.4. */
export class WebSocketSink implements Sink {
  readonly #socket: WebSocket
  #drain: (() => void) | undefined
  #isFull = false

  constructor(socket: WebSocket) {
    this.#socket = socket
    socket.on('error', () => socket.terminate())
    socket.on('message', () => undefined)
  }

  write(frames: Buffer): boolean {
    let start = 0
    while (start < frames.length) {
      const end = frames.indexOf(newline, start) + 1
      const message = frames.subarray(start, end === 0 ? frames.length : end)
      this.#socket.send(message, { binary: false }, () => this.#sent())
      start += message.length
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

  #sent(): void {
    if (!this.#isFull || this.#socket.bufferedAmount > maxBufferedBytes / 2) return
    this.#isFull = false
    this.#drain?.()
  }
}
