import type { ApiObject } from '../../../../meta/types.ts'
import type { Column, RowCondition } from '../../../../registry/resource.ts'
import { ageColumn, humanDuration, nameColumn } from '../../../../registry/table.ts'
import { cellColumn, wide } from '../../../columns.ts'
import { podSummary } from './podSummary.ts'
import { asPod } from './podTypes.ts'

/** Columns of pod tables. Source: observed kubectl output. */
export const podColumns: readonly Column[] = [
  nameColumn,
  cellColumn('Ready', 'Ready containers and all containers.', (object) => {
    const { ready, total } = podSummary(asPod(clone(object)))
    return `${ready}/${total}`
  }),
  cellColumn('Status', 'Status of the pod.', (object) => podSummary(asPod(clone(object))).reason),
  cellColumn('Restarts', 'Number of container restarts.', restartsText),
  ageColumn,
  wide(cellColumn('IP', 'IP address of the pod.', (object) => orNone(ipOf(object)))),
  wide(
    cellColumn('Node', 'Node that the pod runs on.', (object) =>
      orNone(asPod(clone(object)).spec.nodeName),
    ),
  ),
  wide(
    cellColumn('Nominated Node', 'Node nominated for the pod.', (object) =>
      orNone(asPod(clone(object)).status.nominatedNodeName),
    ),
  ),
  wide(cellColumn('Readiness Gates', 'Additional conditions for readiness.', gatesText)),
]

const completed: Readonly<Record<string, readonly RowCondition[]>> = {
  Succeeded: [
    {
      type: 'Completed',
      status: 'True',
      reason: 'Succeeded',
      message: 'The pod has completed successfully.',
    },
  ],
  Failed: [{ type: 'Completed', status: 'True', reason: 'Failed', message: 'The pod failed.' }],
}

/** Row condition of a pod that has ended. */
export function podRowConditions(object: ApiObject): readonly RowCondition[] | undefined {
  return completed[asPod(clone(object)).status.phase ?? '']
}

/** Copy of an object; cells must not change the cached object itself. */
function clone(object: ApiObject): ApiObject {
  return { ...object }
}

function orNone(text: string | undefined): string {
  return text === undefined || text === '' ? '<none>' : text
}

function ipOf(object: ApiObject): string | undefined {
  const { podIP, podIPs = [] } = asPod(clone(object)).status
  return podIPs[0]?.ip ?? podIP
}

/** Number of restarts, with the time since the last one. */
function restartsText(object: ApiObject, nowMs: number): string {
  const { restarts, lastRestart } = podSummary(asPod(clone(object)))
  return restarts === 0 || lastRestart === ''
    ? String(restarts)
    : `${restarts} (${humanDuration(nowMs - Date.parse(lastRestart))} ago)`
}

function gatesText(object: ApiObject): string {
  const { spec, status } = asPod(clone(object))
  const gates = spec.readinessGates ?? []
  if (gates.length === 0) return '<none>'
  const holds = gates.filter(({ conditionType }) =>
    status.conditions?.some((one) => one.type === conditionType && one.status === 'True'),
  )
  return `${holds.length}/${gates.length}`
}
