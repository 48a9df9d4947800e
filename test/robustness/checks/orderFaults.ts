import type { ObjectOperation } from '../../conformance/linearizability/objectModel.ts'
import type { Snapshot } from '../traffic/history.ts'

interface Step {
  call: number
  end: number
  revision: number
  /** True for a write: writes have different revisions, but a list may share that of a write. */
  isWrite: boolean
  text: string
}

/**
 * Writes and lists whose revisions contradict time: an operation that started after another had
 * ended must not have an older revision. This covers all objects together, while linearizability is
 * checked for each.
 */
export function orderFaults(
  operations: readonly ObjectOperation[],
  snapshots: readonly Snapshot[],
): string[] {
  const steps = [...operations.flatMap(writeStep), ...snapshots.map(listStep)]
  const byCall = [...steps].sort((a, b) => a.call - b.call)
  const byEnd = [...steps].sort((a, b) => a.end - b.end)
  const faults: string[] = []
  let newest: Step | undefined
  let ended = 0
  for (const step of byCall) {
    for (let next = byEnd[ended]; next !== undefined && next.end < step.call; next = byEnd[++ended])
      if (newest === undefined || next.revision > newest.revision) newest = next
    if (newest === undefined) continue
    const isOlder = step.revision < newest.revision
    const isRepeated = step.isWrite && step.revision === newest.revision
    if (isOlder || isRepeated) faults.push(`${step.text} began after ${newest.text} had ended`)
  }
  return faults
}

function writeStep({ action, name, call, end, outcome }: ObjectOperation): Step[] {
  if (action === 'get' || outcome.kind !== 'done' || outcome.revision === undefined) return []
  const { revision } = outcome
  return [{ call, end, revision, isWrite: true, text: `${action} of ${name}@${revision}` }]
}

function listStep({ call, end, revision, caller }: Snapshot): Step {
  return { call, end, revision, isWrite: false, text: `a list of caller ${caller}@${revision}` }
}
