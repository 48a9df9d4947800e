import type { Clock } from '../meta/clock.ts'

/** A place that keeps events. */
export interface AuditSink {
  /** Takes an event as one line of JSON, without a line feed. Returns at once. */
  write(line: string): void
  /** Removes what was kept long enough. Never rejects. */
  prune(): Promise<void>
  /** Writes what it was given, as far as it can, and lets go. Never rejects. */
  close(): Promise<void>
}

export interface SinkOptions {
  clock: Clock
  /** Told of the sink's name, of an error, and of how many events it cost: 0 where none. */
  onError: (sink: SinkName, error: unknown, lost: number) => void
  /** Resolves when what used the place before has let go. */
  after: Promise<unknown>
}

export type SinkName = 'log' | 'database'
