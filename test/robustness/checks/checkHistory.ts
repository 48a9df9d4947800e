import { checkLinearizable } from '../../conformance/linearizability/checkLinearizable.ts'
import { describeContradiction } from '../../conformance/linearizability/describeContradiction.ts'
import { objectModel, type ObjectOperation } from '../../conformance/linearizability/objectModel.ts'
import type { History, Seen } from '../traffic/history.ts'
import { decideUnknown } from './decideUnknown.ts'
import { orderFaults } from './orderFaults.ts'
import { snapshotFaults } from './snapshotFaults.ts'
import { timelineOf } from './timeline.ts'
import { watchFaults } from './watchGuarantees.ts'
import { writeFaults } from './writeFaults.ts'

/** States of a round, in addition to its history. */
export interface Bounds {
  /** Revision at which there were no objects. */
  since: number
  /** Revision after the end of the traffic. */
  until: number
}

export interface Verdict {
  faults: string[]
  /** Changes reported by watches. */
  changes: number
  gaps: number
  /** Writes without a response. */
  unknown: number
  /** Objects for which the search for an order was abandoned. */
  undecided: number
}

/** Checks all requests of clients with their responses. */
export function checkHistory(history: History, { since, until }: Bounds): Verdict {
  const timeline = timelineOf(history.spans, since, until)
  const operations = [...decideUnknown(history.operations, timeline), ...listedReads(history)]
  const order = linearizability(operations)
  const faults = [
    ...history.unexpected.map((text) => `unexpected answer: ${text}`),
    ...timeline.faults,
    ...watchFaults(history.spans, timeline),
    ...writeFaults(history.operations, timeline),
    ...orderFaults(history.operations, history.snapshots),
    ...snapshotFaults(history.snapshots, timeline),
    ...order.faults,
  ]
  return {
    faults,
    changes: timeline.events.length,
    gaps: timeline.gaps.length,
    unknown: history.operations.filter(({ outcome }) => outcome.kind === 'unknown').length,
    undecided: order.undecided,
  }
}

/** Checks that the operations on each object fit some order that time allows. */
function linearizability(
  operations: readonly ObjectOperation[],
): Pick<Verdict, 'faults' | 'undecided'> {
  const verdict: Pick<Verdict, 'faults' | 'undecided'> = { faults: [], undecided: 0 }
  for (const name of new Set(operations.map((operation) => operation.name))) {
    const own = operations.filter((operation) => operation.name === name)
    const found = checkLinearizable(own, objectModel)
    if (found === 'undecided') verdict.undecided++
    else if (found !== undefined) verdict.faults.push(describeContradiction(name, own, found))
  }
  return verdict
}

/** A list reads every object. */
function listedReads({ snapshots, operations }: History): ObjectOperation[] {
  const names = [...new Set(operations.map(({ name }) => name))]
  // Pages after the first read history.
  return snapshots
    .filter(({ pages }) => pages === 1)
    .flatMap(({ caller, call, end, objects }) =>
      names.map((name) => {
        const outcome = outcomeOf(objects.get(name))
        return { caller, name, action: 'get' as const, call, end, outcome }
      }),
    )
}

function outcomeOf(seen: Seen | undefined): ObjectOperation['outcome'] {
  return seen === undefined ? { kind: 'absent' } : { kind: 'done', ...seen }
}
