import { labelOf, type EventType, type Span, type WatchEvent } from '../traffic/history.ts'
import { endOf, textOf, type Timeline, type TimelineEvent } from './timeline.ts'

type ObjectEvent = Exclude<WatchEvent, { type: 'BOOKMARK' }>

/** Guarantee of a watch; returns its violations. */
type Guarantee = (span: Span, timeline: Timeline) => string[]

/**
 * Guarantees of etcd's watches, as passed on by the API. Source: etcd, "KV API guarantees" and its
 * robustness tests.
 */
const watchGuarantees: Readonly<Record<string, Guarantee>> = {
  /** Checks that revisions ascend. */
  ordered: ({ events }) =>
    pairs(events).flatMap(([before, after]) =>
      after.revision < before.revision ? [`${line(after)} comes after ${line(before)}`] : [],
    ),
  /** Checks that events are not repeated. */
  unique: ({ events }) => {
    const seen = new Set<string>()
    return changesOf(events).flatMap((event) => {
      const key = `${event.name}@${event.revision}`
      if (seen.has(key)) return [`${line(event)} comes twice`]
      seen.add(key)
      return []
    })
  },
  /** Checks that no change is missing. */
  reliable: (span, timeline) => {
    const got = new Set(changesOf(span.events).map(({ revision }) => revision))
    return expectedOf(span, timeline).flatMap((event) =>
      got.has(event.revision) ? [] : [`${textOf(event)} is missing`],
    )
  },
  /**
   * Checks that events of one revision are not split, neither by a bookmark nor by the start of a
   * watch.
   */
  atomic: ({ events, since }) => {
    const marked = new Set([since])
    return events.flatMap((event) => {
      if (event.type !== 'BOOKMARK' && marked.has(event.revision))
        return [`${line(event)} comes after a mark of its revision`]
      if (event.type === 'BOOKMARK') marked.add(event.revision)
      return []
    })
  },
  /** Checks that a watch starts with the first change after its start revision. */
  resumable: (span, timeline) => {
    const [first] = changesOf(span.events)
    const [expected] = expectedOf(span, timeline)
    if (first === undefined || expected === undefined) return []
    return first.revision === expected.revision
      ? []
      : [`${line(first)} is the first event, not ${textOf(expected)}`]
  },
  /** Checks that no event follows a bookmark of a later revision, and that bookmarks ascend. */
  bookmarkable: ({ events }) => {
    let marked = 0
    return events.flatMap((event) => {
      const isLate = event.revision < marked
      if (event.type === 'BOOKMARK') marked = Math.max(marked, event.revision)
      return isLate ? [`${line(event)} comes after a bookmark at ${marked}`] : []
    })
  },
  /** Checks that a watch with a selector shows the changes of selected objects, and no others. */
  filterable: (span, timeline) => {
    const expected = new Map(expectedOf(span, timeline).map((event) => [event.revision, event]))
    return known(span, timeline).flatMap((event) =>
      expected.has(event.revision) ? [] : [`${line(event)} is not selected or never was`],
    )
  },
  /** Checks that the object of ADDED did not exist before, and that of MODIFIED or DELETED did. */
  'is create': (span, timeline) =>
    compared(span, timeline, (event, { type }) =>
      event.type === type ? undefined : `${line(event)} should be ${type}`,
    ),
  /** Checks that an event has the value of its revision, or, for a deletion, the last value. */
  'previous value': (span, timeline) =>
    compared(span, timeline, (event, { value, previous, type }) => {
      const wanted = type === 'DELETED' ? (previous?.value ?? value) : value
      return event.value === wanted ? undefined : `${line(event)} should have ${wanted}`
    }),
}

/** Violations of the guarantees, each with the watch that shows it. */
export function watchFaults(spans: readonly Span[], timeline: Timeline): string[] {
  return Object.entries(watchGuarantees).flatMap(([name, guarantee]) =>
    spans.flatMap((span) =>
      guarantee(span, timeline).map(
        (fault) =>
          `watch ${span.watcher} of ${span.replica} since ${span.since}, ${name}: ${fault}`,
      ),
    ),
  )
}

/** Events that a watch is expected to show. */
function expectedOf(span: Span, timeline: Timeline): TimelineEvent[] {
  const last = endOf(span)
  return timeline.events
    .filter(({ revision }) => revision > span.since && revision <= last)
    .flatMap((event) => selected(event, span.label))
}

/** Event as shown to a watch with a label; none: the object does not have the label. */
function selected(event: TimelineEvent, label: Span['label']): TimelineEvent[] {
  if (label === undefined) return [event]
  const { previous, type } = event
  const was = previous !== undefined && labelOf(previous.value) === label
  const is = type !== 'DELETED' && labelOf(event.value) === label
  if (is) return [{ ...event, type: was ? 'MODIFIED' : 'ADDED' }]
  return was ? [{ ...event, type: 'DELETED' }] : []
}

/** Changes of a span in the timeline. */
function known({ events, since }: Span, { until, since: from }: Timeline): ObjectEvent[] {
  return changesOf(events).filter(
    ({ revision }) => revision > Math.max(since, from) && revision <= until,
  )
}

function compared(
  span: Span,
  timeline: Timeline,
  compare: (
    event: ObjectEvent,
    expected: TimelineEvent & { type: EventType },
  ) => string | undefined,
): string[] {
  const expected = new Map(expectedOf(span, timeline).map((event) => [event.revision, event]))
  return known(span, timeline).flatMap((event) => {
    const wanted = expected.get(event.revision)
    const fault = wanted && compare(event, wanted)
    return fault === undefined ? [] : [fault]
  })
}

function changesOf(events: Span['events']): ObjectEvent[] {
  return events.filter((event): event is ObjectEvent => event.type !== 'BOOKMARK')
}

function pairs<T>(items: readonly T[]): [T, T][] {
  return items.slice(1).map((item, at) => [items[at] as T, item]) // `at` is the one before.
}

function line(event: WatchEvent): string {
  return event.type === 'BOOKMARK' ? `a bookmark at ${event.revision}` : textOf(event)
}
