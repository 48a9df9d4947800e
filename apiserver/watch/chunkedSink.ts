import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Sink } from './sink.ts'

/**
 * Frames as chunks of an HTTP body, one or more per chunk. The headers are flushed at once, so that a client knows that
 * its watch is established before the first event.
 */
export class ChunkedSink implements Sink {
  readonly #response: ServerResponse
  /** The socket for HTTP/1.1 chunks, bypassing the response, which would encode them again for every watcher. */
  readonly #socket: Socket | undefined
  #drained: (() => void) | undefined

  constructor(response: ServerResponse) {
    this.#response = response
    response.flushHeaders()
    if (response.req.httpVersion === '1.1') this.#socket = response.socket ?? undefined
  }

  write(frames: Buffer): boolean {
    const isTaken = this.#send(frames)
    // Registered only while waiting for it: most streams are never full.
    if (!isTaken) (this.#socket ?? this.#response).once('drain', () => this.#drained?.())
    return isTaken
  }

  onDrain(callback: () => void): void {
    this.#drained = callback
  }

  onClose(callback: () => void): void {
    if (this.#response.closed) queueMicrotask(callback)
    else this.#response.on('close', callback)
  }

  end(): void {
    this.#response.end()
  }

  cutOff(): void {
    this.#response.destroy()
  }

  #send(frames: Buffer): boolean {
    if (this.#socket === undefined) return this.#response.write(frames)
    return this.#socket.writable && this.#socket.write(chunkOf(frames))
  }
}

// Watchers that receive the same frames share the chunk as long as the frames are kept.
const chunks = new WeakMap<Buffer, Buffer>()
const lineEnd = Buffer.from('\r\n')

function chunkOf(frames: Buffer): Buffer {
  let chunk = chunks.get(frames)
  if (chunk === undefined) {
    const length = Buffer.from(frames.length.toString(16))
    chunk = Buffer.concat([length, lineEnd, frames, lineEnd])
    chunks.set(frames, chunk)
  }
  return chunk
}
