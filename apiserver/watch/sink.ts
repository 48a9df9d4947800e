/** Framing of a stream: each frame ends with a line feed, or begins with its length in four bytes, big-endian. */
export type Framing = 'lines' | 'lengths'

/** Destination of a watcher's frames: a chunked body, a websocket, a test. */
export interface Sink {
  /** Accepts whole frames. False: the buffer is full; write no more until the drain callback. */
  write(frames: Buffer): boolean
  /** Sets the callback for each time a full sink accepts frames again. Called once. */
  onDrain(callback: () => void): void
  /**
   * Sets the callback for the end, when the client is gone or the sink was ended; never invoked within this call.
   * Called once.
   */
  onClose(callback: () => void): void
  /** Ends the stream cleanly, after the written frames. */
  end(): void
  /** Ends the stream at once, dropping unsent frames; also after `end`. */
  cutOff(): void
}
