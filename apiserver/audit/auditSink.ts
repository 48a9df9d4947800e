import type { Clock } from '../meta/clock.ts'
import type { EventPage, EventQuery } from './eventSearch.ts'

/** A destination of audit events. */
export interface AuditSink {
  /** Accepts an event as one line of JSON, without a line feed. Returns at once. */
  write(line: string): void
  /** Finds written events, newest first. Absent: the destination cannot be searched. */
  find?(query: EventQuery): Promise<EventPage>
  /** Removes events older than the retention period. Never rejects. */
  prune(): Promise<void>
  /** Flushes pending events as far as possible, then closes. Never rejects. */
  close(): Promise<void>
}

export interface SinkOptions {
  clock: Clock
  /**
   * Called with the sink's name, an error, and the number of events lost through it, which may be
   * 0.
   */
  onError: (sink: SinkName, error: unknown, lost: number) => void
  /** Resolves when the previous sink of the destination is closed. */
  after: Promise<unknown>
}

export type SinkName = 'log' | 'database'
