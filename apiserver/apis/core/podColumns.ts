import type { ApiObject } from '../../meta/types.ts'
import type { Column } from '../../registry/resource.ts'
import { ageColumn, humanDuration, nameColumn } from '../../registry/table.ts'
import { cellColumn, wide } from '../columns.ts'
import { asPod, type ContainerStatus, type Pod } from './podTypes.ts'

/** Source: observed kubectl output. */
export const podColumns: readonly Column[] = [
  nameColumn,
  cellColumn('Ready', 'How many containers are ready, of how many.', (object) => {
    const { spec, status } = asPod(clone(object))
    const ready = (status.containerStatuses ?? []).filter((one) => one.ready === true)
    return `${ready.length}/${(spec.containers ?? []).length}`
  }),
  cellColumn('Status', 'What the pod is doing.', (object) => statusText(asPod(clone(object)))),
  cellColumn('Restarts', 'How often containers were restarted.', restartsText),
  ageColumn,
  wide(cellColumn('IP', 'Address of the pod.', (object) => orNone(ipOf(object)))),
  wide(
    cellColumn('Node', 'Node that the pod is on.', (object) =>
      orNone(asPod(clone(object)).spec.nodeName),
    ),
  ),
  wide(
    cellColumn('Nominated Node', 'Node that the pod waits for.', (object) =>
      orNone(asPod(clone(object)).status.nominatedNodeName),
    ),
  ),
  wide(cellColumn('Readiness Gates', 'Conditions that must hold too.', gatesText)),
]

/** A cell never changes its object, which is read from a cache. */
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

function statusText({ status, metadata }: Pod): string {
  const reasons = (status.containerStatuses ?? []).map(containerReason).filter((one) => one !== '')
  const why = reasons.at(0) ?? status.reason ?? status.phase ?? ''
  if (metadata.deletionTimestamp === undefined) return why
  return status.reason === 'NodeLost' ? 'Unknown' : 'Terminating'
}

function containerReason({ state = {} }: ContainerStatus): string {
  const { waiting, terminated } = state
  if (waiting?.reason !== undefined) return waiting.reason
  if (terminated === undefined) return ''
  if (terminated.reason !== undefined) return terminated.reason
  const { signal = 0, exitCode = 0 } = terminated
  return signal === 0 ? `ExitCode:${exitCode}` : `Signal:${signal}`
}

/** The count, with the time since the last one where there was any. */
function restartsText(object: ApiObject, nowMs: number): string {
  const { containerStatuses = [] } = asPod(clone(object)).status
  const count = containerStatuses.reduce((sum, { restartCount = 0 }) => sum + restartCount, 0)
  const ends = containerStatuses.map(({ lastState }) => lastState?.terminated?.finishedAt ?? '')
  const last = ends.sort().at(-1) ?? ''
  return count === 0 || last === ''
    ? String(count)
    : `${count} (${humanDuration(nowMs - Date.parse(last))} ago)`
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
