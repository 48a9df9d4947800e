import type { ServerResponse } from 'node:http'
import type { Sink } from './sink.ts'

/** Frames as the chunks of an HTTP body, one or more a chunk. The headers are flushed at once, so that a client knows
 *  that its watch stands before the first event. */
export class ChunkedSink implements Sink {
  readonly #response: ServerResponse

  constructor(response: ServerResponse) {
    this.#response = response
    response.flushHeaders()
  }

  write(frames: Buffer): boolean {
    return this.#response.write(frames)
  }

  onDrain(callback: () => void): void {
    this.#response.on('drain', callback)
  }

  onClose(callback: () => void): void {
    this.#response.once('close', callback)
  }

  end(): void {
    this.#response.end()
  }
}
