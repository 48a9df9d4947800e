import type { ObjectOperation } from '../../conformance/linearizability/objectModel.ts'
import { textOf, type Timeline } from './timeline.ts'

/** Acknowledged writes that no watch reports, and changes that no client requested. */
export function writeFaults(operations: readonly ObjectOperation[], timeline: Timeline): string[] {
  return [...lostWrites(operations, timeline), ...strangeChanges(operations, timeline)]
}

function lostWrites(operations: readonly ObjectOperation[], timeline: Timeline): string[] {
  const { events, until, gaps } = timeline
  const found = new Set(events.map(({ name, value, revision }) => `${name}=${value}@${revision}`))
  return operations.flatMap(({ action, name, outcome }) => {
    if (action === 'get' || outcome.kind !== 'done' || outcome.revision === undefined) return []
    const { value, revision } = outcome
    if (revision > until || gaps.some(({ from, to }) => revision > from && revision <= to))
      return []
    const key = `${name}=${value}@${revision}`
    return found.has(key) ? [] : [`${action} of ${key} was acknowledged; no watch tells of it`]
  })
}

function strangeChanges(operations: readonly ObjectOperation[], { events }: Timeline): string[] {
  const wrote = new Set(operations.map(({ name, wrote }) => `${name}=${wrote}`))
  return events.flatMap((event) =>
    wrote.has(`${event.name}=${event.value}`) ? [] : [`nobody wrote ${textOf(event)}`],
  )
}
