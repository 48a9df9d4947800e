import type { ObjectOperation } from '../../conformance/linearizability/objectModel.ts'

/** Object as a client sees it. */
export interface Seen {
  value: string
  revision: number
}

/** List of all objects, as received by a client. */
export interface Snapshot {
  caller: number
  replica: string
  call: number
  end: number
  revision: number
  objects: ReadonlyMap<string, Seen>
  /** Number of requests for the list. */
  pages: number
}

/** Connection of a watch. */
export interface Span {
  watcher: string
  replica: string
  /** Label of the objects; absent: all. */
  label?: Label
  /** Revision after which it started. */
  since: number
  events: WatchEvent[]
}

export type Label = 'even' | 'odd'

export type WatchEvent =
  | { type: 'BOOKMARK'; revision: number; at: number }
  | { type: EventType; name: string; value: string; revision: number; at: number }

export type EventType = 'ADDED' | 'MODIFIED' | 'DELETED'

/**
 * All requests of clients with their responses in a round. Times are milliseconds of one monotonic
 * clock.
 */
export class History {
  readonly operations: ObjectOperation[] = []
  /** Replica that received the request. */
  readonly asked = new Map<ObjectOperation, string>()
  readonly snapshots: Snapshot[] = []
  readonly spans: Span[] = []
  /** Responses that no fault explains. */
  readonly unexpected: string[] = []
  /** Watches that every server refused with 410. */
  expired = 0
}

/** The history as JSON, to search for the cause of a violation. */
export function historyJson({ operations, asked, snapshots, spans }: History): string {
  const named = operations.map((one) => ({ ...one, replica: asked.get(one) }))
  const lists = snapshots.map((one) => ({ ...one, objects: Object.fromEntries(one.objects) }))
  return JSON.stringify({ operations: named, snapshots: lists, spans })
}

/** Label of a value: derived from the value, so that checks can compute it. */
export function labelOf(value: string): Label {
  return Number(value.split('-')[1]) % 2 === 0 ? 'even' : 'odd'
}
