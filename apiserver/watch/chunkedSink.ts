import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { isEncrypted, sliceBytes, writeSlices } from '../meta/waiting/writeSlices.ts'
import { writeTurns } from '../meta/waiting/writeTurns.ts'
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
  /** Large frames that are being written, and the frames that follow. */
  #pending: Buffer[] | undefined
  #isEnding = false

  constructor(response: ServerResponse) {
    this.#response = response
    response.flushHeaders()
    if (response.req.httpVersion === '1.1') this.#socket = response.socket ?? undefined
  }

  write(frames: Buffer): boolean {
    if (this.#socket?.writable === false) return false
    if (this.#pending !== undefined) {
      this.#pending.push(...this.#partsOf(frames))
      return false
    }
    if (frames.length > sliceBytes) return this.#writeLarge(frames)
    const output = this.#output
    const isTaken = output.write(this.#socket === undefined ? frames : chunkOf(frames))
    // Registered only while waiting for it: most streams are never full.
    if (!isTaken) this.#awaitDrain(output)
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
    if (this.#pending === undefined) this.#response.end()
    else this.#isEnding = true
  }

  cutOff(): void {
    this.#response.destroy()
  }

  get #output(): Socket | ServerResponse {
    return this.#socket ?? this.#response
  }

  #writeLarge(frames: Buffer): boolean {
    if (this.#socket !== undefined && !isEncrypted(this.#socket))
      return this.#writePlain(this.#socket, frames)
    this.#pending = this.#partsOf(frames)
    const isTaken = writeSlices(this.#output, this.#pending, () => this.#written())
    if (isTaken) this.#pending = undefined
    return isTaken
  }

  /** Writes large frames at once: plain sockets share them. */
  #writePlain(socket: Socket, frames: Buffer): boolean {
    socket.cork()
    let isTaken = true
    for (const part of this.#partsOf(frames)) isTaken = socket.write(part)
    socket.uncork()
    if (!isTaken) this.#awaitDrain(socket)
    return isTaken
  }

  #awaitDrain(output: Socket | ServerResponse): void {
    output.once('drain', () => writeTurns.run(() => this.#drained?.()))
  }

  #written(): void {
    this.#pending = undefined
    if (this.#isEnding) this.#response.end()
    else this.#drained?.()
  }

  /** Frames as written to the output. Large ones are not copied to add the lines around a chunk. */
  #partsOf(frames: Buffer): Buffer[] {
    if (this.#socket === undefined) return [frames]
    if (frames.length <= sliceBytes) return [chunkOf(frames)]
    return [sizeLine(frames), frames, lineEnd]
  }
}

// Watchers that receive the same frames share the chunk as long as the frames are kept.
const chunks = new WeakMap<Buffer, Buffer>()
const lineEnd = Buffer.from('\r\n')

function chunkOf(frames: Buffer): Buffer {
  let chunk = chunks.get(frames)
  if (chunk === undefined) {
    chunk = Buffer.concat([sizeLine(frames), frames, lineEnd])
    chunks.set(frames, chunk)
  }
  return chunk
}

function sizeLine(frames: Buffer): Buffer {
  return Buffer.from(`${frames.length.toString(16)}\r\n`)
}
