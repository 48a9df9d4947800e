import { SeededRandom } from '../../conformance/crash/seededRandom.ts'
import type { ObjectOperation } from '../../conformance/linearizability/objectModel.ts'
import { History, labelOf, type Label, type Seen, type Span } from '../traffic/history.ts'
import type { Bounds } from './checkHistory.ts'
import { endOf, type TimelineEvent } from './timeline.ts'

export interface SimulatedRun {
  history: History
  bounds: Bounds
}

const names = ['t-0', 't-1', 't-2']
const callers = 4
const steps = 300
const first = 1_000

/**
 * History of a server without faults, with some lost responses, from a seed. Tests plant faults
 * into it.
 */
export function simulatedRun(seed: number): SimulatedRun {
  const random = new SeededRandom(seed)
  const history = new History()
  const state = new Map<string, Seen>()
  const events: TimelineEvent[] = []
  let revision = first
  for (let step = 0; step < steps; step++) {
    const operation = startedOperation(step, random, state)
    revision += random.between(0, 2) // Other resources change, too.
    const event = perform(operation, state, revision + 1)
    if (event !== undefined) {
      revision++
      events.push({ ...event, at: operation.end + 1 })
    }
    if (operation.action === 'get' || random.fraction() < 0.9) history.operations.push(operation)
    else history.operations.push({ ...operation, end: Infinity, outcome: { kind: 'unknown' } })
    if (step % 10 === 0) addSnapshot(history, { step, revision, state })
  }
  history.spans.push(...watch(events, { watcher: 'a', breakEvery: 1_000 }))
  history.spans.push(...watch(events, { watcher: 'b', breakEvery: 30 }))
  history.spans.push(...watch(events, { watcher: 'c', breakEvery: 50, label: 'even' }))
  return { history, bounds: { since: first, until: events.at(-1)?.revision ?? first } }
}

/** Requested operation; callers overlap. */
function startedOperation(
  step: number,
  random: SeededRandom,
  state: ReadonlyMap<string, Seen>,
): ObjectOperation {
  const caller = step % callers
  const name = names[random.between(0, names.length)] ?? ''
  const action = (['get', 'create', 'update', 'delete'] as const)[random.between(0, 4)] ?? 'get'
  const wrote = `${caller}-${step}`
  const known = state.get(name)?.revision
  const isStale = random.fraction() < 0.2
  const expected = known === undefined ? undefined : known - (isStale ? 1 : 0)
  return {
    ...{ caller, name, action, call: step * 10 - 8, end: step * 10 + 8 },
    ...((action === 'create' || action === 'update') && { wrote }),
    ...(action === 'update' && expected !== undefined && { expected }),
    outcome: { kind: 'unknown' },
  }
}

/** Performs an operation. @returns its outcome, and the change, if any. */
function perform(
  operation: ObjectOperation,
  state: Map<string, Seen>,
  revision: number,
): Omit<TimelineEvent, 'at'> | undefined {
  const { action, name, wrote: value = '', expected } = operation
  const before = state.get(name)
  if (action === 'create') {
    if (before !== undefined) return void (operation.outcome = { kind: 'exists' })
  } else if (before === undefined) return void (operation.outcome = { kind: 'absent' })
  else if (action === 'get') return void (operation.outcome = { kind: 'done', ...before })
  else if (expected !== undefined && expected !== before.revision)
    return void (operation.outcome = { kind: 'conflict' })
  if (action === 'delete') {
    state.delete(name)
    operation.outcome = { kind: 'done' }
    return { type: 'DELETED', name, value: before?.value ?? '', revision }
  }
  state.set(name, { value, revision })
  operation.outcome = { kind: 'done', value, revision }
  return { type: before === undefined ? 'ADDED' : 'MODIFIED', name, value, revision }
}

function addSnapshot(
  { snapshots }: History,
  { step, revision, state }: { step: number; revision: number; state: ReadonlyMap<string, Seen> },
): void {
  const times = { call: step * 10 + 8.5, end: step * 10 + 9 }
  snapshots.push({
    caller: 0,
    replica: 'r0',
    ...times,
    revision,
    objects: new Map(state),
    pages: 1,
  })
}

/** Connections of a watch, each resumed from the end of the previous one, with bookmarks. */
function watch(
  events: readonly TimelineEvent[],
  { watcher, breakEvery, label }: { watcher: string; breakEvery: number; label?: Label },
): Span[] {
  const begin = (since: number): Span => ({
    ...{ watcher, replica: 'r0', since, events: [] },
    ...(label !== undefined && { label }),
  })
  let span = begin(first)
  const spans = [span]
  for (const [at, { shown, event }] of shownEvents(events, label).entries()) {
    if (shown !== undefined) span.events.push({ ...shown })
    if (at % 7 === 0) span.events.push({ type: 'BOOKMARK', revision: event.revision, at: event.at })
    if (at % breakEvery < breakEvery - 1) continue
    span = begin(endOf(span))
    spans.push(span)
  }
  return spans
}

/** Events with the form in which a watch shows them; undefined: the watch does not show it. */
function shownEvents(events: readonly TimelineEvent[], label: Label | undefined) {
  const was = new Map<string, string>()
  return events.map((event) => {
    const shown = label === undefined ? event : filtered(event, label, was.get(event.name))
    if (event.type === 'DELETED') was.delete(event.name)
    else was.set(event.name, event.value)
    return { event, shown }
  })
}

function filtered(
  event: TimelineEvent,
  label: Label,
  before: string | undefined,
): TimelineEvent | undefined {
  const was = before !== undefined && labelOf(before) === label
  if (event.type !== 'DELETED' && labelOf(event.value) === label)
    return { ...event, type: was ? 'MODIFIED' : 'ADDED' }
  // An object that left the selection is shown in its last selected state.
  return was ? { ...event, type: 'DELETED', value: before } : undefined
}
