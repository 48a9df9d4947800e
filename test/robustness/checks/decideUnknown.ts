import type { ObjectOperation } from '../../conformance/linearizability/objectModel.ts'
import type { Timeline, TimelineEvent } from './timeline.ts'

/**
 * Operations, with the information of the timeline about writes without a response: one in the
 * timeline was done before it was seen, one that is missing was never done. Gaps in the timeline
 * leave some undecided. Source: the robustness tests of etcd also decide unknown writes by the
 * events of watches.
 */
export function decideUnknown(
  operations: readonly ObjectOperation[],
  timeline: Timeline,
): ObjectOperation[] {
  const written = new Map(timeline.events.filter(isWrite).map((event) => [keyOf(event), event]))
  return operations.flatMap((operation) => {
    if (operation.outcome.kind !== 'unknown') return [operation]
    return operation.wrote === undefined
      ? decideDeletion(operation, timeline)
      : decideWrite(operation, written.get(`${operation.name}=${operation.wrote}`), timeline)
  })
}

function decideWrite(
  operation: ObjectOperation,
  event: TimelineEvent | undefined,
  { gaps }: Timeline,
): ObjectOperation[] {
  if (event === undefined) return gaps.length > 0 ? [operation] : []
  const { value, revision, at } = event
  return [{ ...operation, end: at, outcome: { kind: 'done', value, revision } }]
}

/**
 * Decides a deletion. Watches do not show which client deleted an object: this operation may have,
 * at the latest when the last possible deletion was seen.
 */
function decideDeletion(operation: ObjectOperation, { events, gaps }: Timeline): ObjectOperation[] {
  const { name, call, expected } = operation
  if (gaps.length > 0) return [operation]
  const possible = events.filter(
    (event) =>
      event.type === 'DELETED' &&
      event.name === name &&
      event.at >= call &&
      (expected === undefined || event.previous?.revision === expected),
  )
  if (possible.length === 0) return []
  return [{ ...operation, end: Math.max(...possible.map(({ at }) => at)) }]
}

function isWrite({ type }: TimelineEvent): boolean {
  return type !== 'DELETED'
}

function keyOf({ name, value }: TimelineEvent): string {
  return `${name}=${value}`
}
