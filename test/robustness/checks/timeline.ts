import type { EventType, Seen, Span } from '../traffic/history.ts'

/** Change of an object as reported by watches, with the previous state. */
export interface TimelineEvent {
  type: EventType
  name: string
  value: string
  revision: number
  /** Time at which the first client received it. */
  at: number
  /** Previous state. Absent: the object did not exist, or the state is unknown. */
  previous?: Seen
}

/** All changes between two revisions in order, combined from all watches. */
export interface Timeline {
  since: number
  until: number
  events: readonly TimelineEvent[]
  /** Revisions that no watch covers: `from` exclusive, `to` inclusive. */
  gaps: { from: number; to: number }[]
  /** Watches that contradict each other. */
  faults: string[]
}

/** Changes after `since` up to `until`. At `since` there were no objects. */
export function timelineOf(spans: readonly Span[], since: number, until: number): Timeline {
  const whole = spans.filter(({ label }) => label === undefined)
  const faults: string[] = []
  const found = new Map<number, TimelineEvent>()
  for (const span of whole) for (const event of span.events) note(event, span, { found, faults })
  const events = [...found.values()]
    .filter(({ revision }) => revision > since && revision <= until)
    .sort((a, b) => a.revision - b.revision)
  const gaps = gapsOf(whole, since, until)
  return { since, until, events: withPrevious(events), gaps, faults }
}

/** Last revision that a span covers completely. */
export function endOf({ since, events }: Span): number {
  return Math.max(since, ...events.map(({ revision }) => revision))
}

/** Objects at a revision, by name. */
export function stateAt({ events }: Timeline, revision: number): Map<string, Seen> {
  const state = new Map<string, Seen>()
  for (const event of events) {
    if (event.revision > revision) break
    apply(state, event)
  }
  return state
}

interface Noted {
  found: Map<number, TimelineEvent>
  faults: string[]
}

function note(event: Span['events'][number], span: Span, { found, faults }: Noted): void {
  if (event.type === 'BOOKMARK') return
  const known = found.get(event.revision)
  if (known === undefined) return void found.set(event.revision, { ...event })
  known.at = Math.min(known.at, event.at)
  if (textOf(known) === textOf(event)) return
  const { watcher, replica } = span
  faults.push(`watch ${watcher} of ${replica} has ${textOf(event)}, another has ${textOf(known)}`)
}

export function textOf(event: Omit<TimelineEvent, 'at' | 'previous'>): string {
  return `${event.type} ${event.name}=${event.value}@${event.revision}`
}

function withPrevious(events: readonly TimelineEvent[]): TimelineEvent[] {
  const state = new Map<string, Seen>()
  return events.map((event) => {
    const previous = state.get(event.name)
    apply(state, event)
    return previous === undefined ? event : { ...event, previous }
  })
}

function apply(state: Map<string, Seen>, { type, name, value, revision }: TimelineEvent): void {
  if (type === 'DELETED') state.delete(name)
  else state.set(name, { value, revision })
}

function gapsOf(spans: readonly Span[], since: number, until: number): Timeline['gaps'] {
  const covered = spans.map((span) => ({ from: span.since, to: endOf(span) }))
  const gaps: Timeline['gaps'] = []
  let reached = since
  for (const { from, to } of covered.sort((a, b) => a.from - b.from)) {
    if (from > reached && reached < until) gaps.push({ from: reached, to: Math.min(from, until) })
    reached = Math.max(reached, to)
  }
  if (reached < until) gaps.push({ from: reached, to: until })
  return gaps
}
