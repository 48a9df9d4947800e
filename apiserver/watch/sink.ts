/** How frames end: each with a line feed, or each begins with its length in four bytes, big end first. */
export type Framing = 'lines' | 'lengths'

/** Where a watcher's frames go: a chunked body, a websocket, a test. */
export interface Sink {
  /** Takes frames, whole ones only. False: it holds enough; write no more until the drain callback. */
  write(frames: Buffer): boolean
  /** Called each time a full sink can take frames again. Set once. */
  onDrain(callback: () => void): void
  /** Called once when the reader is gone or the sink was ended; never within this call. Set once. */
  onClose(callback: () => void): void
  /** Ends the stream cleanly, after what was written. */
  end(): void
  /** Ends it at once, whatever the reader has not taken; also after `end`. */
  cutOff(): void
}
