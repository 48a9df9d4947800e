import { expect } from 'chai'
import type { ObjectOperation } from '../../conformance/linearizability/objectModel.ts'
import type { History, Span, WatchEvent } from '../traffic/history.ts'
import { checkHistory } from './checkHistory.ts'
import { simulatedRun } from './simulatedRun.ts'

const seeds = Array.from({ length: 5 }, (_, at) => at + 1)

/** Faults of a server, each planted into a correct history. */
const plants: readonly {
  fault: string
  plant: (history: History) => void
  found: RegExp
}[] = [
  {
    fault: 'a stale read',
    plant: ({ operations }) => {
      const [older, newer] = twoWrites(operations)
      const outcome = older.outcome
      const times = { call: newer.end + 1, end: newer.end + 2 }
      operations.push({ caller: 9, name: newer.name, action: 'get', ...times, outcome })
    },
    found: /operations have an order/,
  },
  {
    fault: 'a stale list',
    plant: ({ snapshots }) => {
      const [older, newer] = [snapshots[3], snapshots.at(-1)]
      if (older === undefined || newer === undefined) throw new Error('too few lists')
      snapshots.push({ ...older, call: newer.end + 1, end: newer.end + 2 })
    },
    found: /a list of caller 0@\d+ began after/,
  },
  {
    fault: 'a list that lacks an object',
    plant: ({ snapshots }) => {
      const list = snapshots.findLast(({ objects }) => objects.size > 0)
      const objects = new Map(list?.objects)
      objects.delete([...objects.keys()][0] ?? '')
      Object.assign(list ?? {}, { objects })
    },
    found: /a list of caller 0 of r0 in 1 pages @\d+ has/,
  },
  {
    fault: 'an acknowledged write that is lost',
    plant: ({ operations }) => {
      const last = operations.findLast(isDoneWrite)
      const outcome = { kind: 'done', value: 'x-1', revision: (revisionOf(last) ?? 0) - 1 } as const
      const times = { call: 1, end: 2 }
      operations.push({ caller: 9, name: 't-9', action: 'create', wrote: 'x-1', ...times, outcome })
    },
    found: /was acknowledged; no watch tells of it/,
  },
  {
    fault: 'a change that nobody asked for',
    plant: ({ operations }) => {
      const at = operations.findIndex(isDoneWrite)
      operations.splice(at, 1)
    },
    found: /nobody wrote/,
  },
  {
    fault: 'a watch that leaves an event out',
    plant: ({ spans }) => void eventsOf(spans, 'b').splice(4, 1),
    found: /watch b .* reliable: .* is missing/,
  },
  {
    fault: 'a watch with a selector that leaves an event out',
    plant: ({ spans }) => void removeChange(eventsOf(spans, 'c')),
    found: /watch c .* reliable: .* is missing/,
  },
  {
    fault: 'a watch that has an event twice',
    plant: ({ spans }) => {
      const events = eventsOf(spans, 'b')
      events.splice(5, 0, ...events.slice(4, 5))
    },
    found: /watch b .* unique: .* comes twice/,
  },
  {
    fault: 'two events in the wrong order',
    plant: ({ spans }) => {
      const events = eventsOf(spans, 'b')
      events.splice(1, 2, ...events.slice(1, 3).reverse())
    },
    found: /watch b .* ordered:/,
  },
  {
    fault: 'a bookmark that runs ahead of events',
    plant: ({ spans }) => {
      const events = eventsOf(spans, 'b')
      const revision = (events[6]?.revision ?? 0) + 1
      events.splice(2, 0, { type: 'BOOKMARK', revision, at: 0 })
    },
    found: /watch b .* bookmarkable:/,
  },
  {
    fault: 'a bookmark between events of one revision',
    plant: ({ spans }) => {
      const events = eventsOf(spans, 'b')
      const change = events.findIndex(({ type }) => type !== 'BOOKMARK')
      events.splice(change, 0, { type: 'BOOKMARK', revision: events[change]?.revision ?? 0, at: 0 })
    },
    found: /watch b .* atomic:/,
  },
  {
    fault: 'a resumed watch that begins too late',
    plant: ({ spans }) => {
      const resumed = spans.filter(({ watcher }) => watcher === 'b')[1]
      removeChange(resumed?.events ?? [])
    },
    found: /watch b .* resumable:/,
  },
  {
    fault: 'an event that a selector does not select',
    plant: ({ spans }) => {
      const [all, even] = [eventsOf(spans, 'a'), eventsOf(spans, 'c')]
      const known = new Set(even.map(({ revision }) => revision))
      const odd = all.findIndex(({ type, revision }) => type === 'ADDED' && !known.has(revision))
      even.splice(0, 0, ...all.slice(odd, odd + 1))
    },
    found: /watch c .* filterable: .* is not selected/,
  },
  {
    fault: 'a change that is told as a creation',
    plant: ({ spans }) => {
      for (const { events } of spans.filter(({ label }) => label === undefined)) {
        const change = events.find(({ type }) => type === 'MODIFIED')
        if (change !== undefined) change.type = 'ADDED'
      }
    },
    found: /another has|is create: .* should be MODIFIED/,
  },
  {
    fault: 'a deletion with an older value',
    plant: ({ spans }) => {
      const event = eventsOf(spans, 'c').find(({ type }) => type === 'DELETED')
      if (event !== undefined) Object.assign(event, { value: '0-98' })
    },
    found: /watch c .* previous value: .* should have/,
  },
  {
    fault: 'two watches that contradict each other',
    plant: ({ spans }) => {
      const event = eventsOf(spans, 'b').find(({ type }) => type === 'MODIFIED')
      if (event !== undefined) Object.assign(event, { value: '0-98' })
    },
    found: /watch b of r0 has .*, another has/,
  },
  {
    fault: 'a write without an answer that a later read did not see',
    plant: ({ operations }) => {
      const [older, newer] = twoWrites(operations)
      Object.assign(newer, { outcome: { kind: 'unknown' }, end: Infinity })
      const times = { call: newer.call + 100_000, end: newer.call + 100_001 }
      const { name, outcome } = older
      operations.push({ caller: 9, name, action: 'get', ...times, outcome })
    },
    found: /operations have an order/,
  },
]

describe('checkHistory', () => {
  it('finds nothing in histories of a server without faults, whose answers sometimes get lost', () => {
    for (const seed of seeds) {
      const { history, bounds } = simulatedRun(seed)
      const { faults, changes, unknown } = checkHistory(history, bounds)
      expect(faults, `seed ${seed}`).to.deep.equal([])
      expect(changes).to.be.above(50)
      expect(unknown).to.be.above(5)
    }
  })

  for (const { fault, plant, found } of plants) {
    it(`finds ${fault}`, () => {
      for (const seed of seeds) {
        const { history, bounds } = simulatedRun(seed)
        plant(history)
        const { faults } = checkHistory(history, bounds)
        expect(
          faults.filter((text) => found.test(text)),
          `seed ${seed}`,
        ).to.not.deep.equal([])
      }
    })
  }

  it('leaves undecided what gaps in the watches hide, instead of a false alarm', () => {
    const { history, bounds } = simulatedRun(1)
    const middle = Math.round((bounds.since + bounds.until) / 2)
    for (const span of history.spans)
      span.events = span.events.filter(({ revision }) => revision <= middle)
    const { faults, gaps } = checkHistory(history, bounds)
    expect(faults).to.deep.equal([])
    expect(gaps).to.be.above(0)
  })
})

/** Two acknowledged writes of one object, the older one first. */
function twoWrites(operations: readonly ObjectOperation[]): [ObjectOperation, ObjectOperation] {
  const writes = operations.filter((one) => isDoneWrite(one) && one.name === 't-0')
  const [older, newer] = [writes.at(-2), writes.at(-1)]
  if (older === undefined || newer === undefined) throw new Error('too few writes')
  return [older, newer]
}

function isDoneWrite({ action, outcome }: ObjectOperation): boolean {
  return action !== 'get' && outcome.kind === 'done' && outcome.revision !== undefined
}

function revisionOf(operation: ObjectOperation | undefined): number | undefined {
  return operation?.outcome.kind === 'done' ? operation.outcome.revision : undefined
}

/** Events of the first connection of a watcher. */
function eventsOf(spans: readonly Span[], watcher: string): WatchEvent[] {
  return spans.find((span) => span.watcher === watcher)?.events ?? []
}

function removeChange(events: WatchEvent[]): void {
  events.splice(
    events.findIndex(({ type }) => type !== 'BOOKMARK'),
    1,
  )
}
