import type { Container, ContainerState, ContainerStatus, PodStatus } from '../../shapes/coreV1.ts'
import { hasPodCondition } from './podCondition.ts'
import { isSidecar, type Pod } from './podTypes.ts'

/** Summary of a pod for one table row. */
export interface PodSummary {
  ready: number
  total: number
  reason: string
  restarts: number
  /** RFC 3339; empty: no counted restart. */
  lastRestart: string
}

/**
 * Summary of a pod. Init containers are shown first, then regular containers. A sidecar counts as
 * both. Source: kubectl's printed columns of pods.
 */
export function podSummary(pod: Pod): PodSummary {
  const { spec, status } = pod
  const sidecars = (spec.initContainers ?? []).filter(isSidecar)
  const total = (spec.containers ?? []).length + sidecars.length
  const first = initSummary(pod, sidecars)
  const isStarted = first.reason === undefined || hasPodCondition(status, 'Initialized')
  const { counted, ready, reason } = isStarted
    ? ownSummary(status, sidecars, first)
    : { counted: first.seen, ready: first.ready, reason: first.reason ?? '' }
  return { ready, total, reason: endingReason(pod, reason), ...restartsOf(counted) }
}

function plainReason({ phase = '', reason, conditions = [] }: PodStatus): string {
  const isGated = conditions.some(
    (one) => one.type === 'PodScheduled' && one.reason === 'SchedulingGated',
  )
  return isGated ? 'SchedulingGated' : orElse(reason, phase)
}

interface InitSummary {
  ready: number
  /** Containers up to the first one that has not finished. */
  seen: ContainerStatus[]
  /** Reason why the regular containers have not started; undefined: started. */
  reason: string | undefined
}

function initSummary({ spec, status }: Pod, sidecars: readonly Container[]): InitSummary {
  const statuses = status.initContainerStatuses ?? []
  const count = (spec.initContainers ?? []).length
  let ready = 0
  for (const [index, one] of statuses.entries()) {
    const { state = {}, started } = one
    if (state.terminated !== undefined && (state.terminated.exitCode ?? 0) === 0) continue
    if (started === true && sidecars.some(({ name }) => name === one.name)) {
      if (one.ready === true) ready++
      continue
    }
    const reason = `Init:${initReason(state) ?? `${index}/${count}`}`
    return { ready, seen: statuses.slice(0, index + 1), reason }
  }
  return { ready, seen: statuses, reason: undefined }
}

function initReason({ waiting, terminated }: ContainerState): string | undefined {
  if (terminated !== undefined) return endReason(terminated)
  const { reason = '' } = waiting ?? {}
  return reason === '' || reason === 'PodInitializing' ? undefined : reason
}

function ownSummary(
  status: PodStatus,
  sidecars: readonly Container[],
  { seen, ready: readySidecars, reason: initial }: InitSummary,
): { counted: ContainerStatus[]; ready: number; reason: string } {
  const { containerStatuses: own = [] } = status
  const counted = [...seen.filter(({ name }) => sidecars.some((one) => one.name === name)), ...own]
  const reasons = own.map(({ state = {} }) => ownReason(state))
  const running = own.filter(
    ({ ready, state = {} }, index) =>
      reasons[index] === undefined && ready === true && state.running !== undefined,
  ).length
  const reason = reasons.find((one) => one !== undefined) ?? initial ?? plainReason(status)
  const isPartly = reason === 'Completed' && running > 0
  const shown = isPartly ? (hasPodCondition(status, 'Ready') ? 'Running' : 'NotReady') : reason
  return { counted, ready: readySidecars + running, reason: shown }
}

function ownReason({ waiting, terminated }: ContainerState): string | undefined {
  if ((waiting?.reason ?? '') !== '') return waiting?.reason
  return terminated === undefined ? undefined : endReason(terminated)
}

function endReason({
  reason,
  signal = 0,
  exitCode = 0,
}: NonNullable<ContainerState['terminated']>) {
  return orElse(reason, signal === 0 ? `ExitCode:${exitCode}` : `Signal:${signal}`)
}

function endingReason({ status, metadata }: Pod, reason: string): string {
  if (metadata.deletionTimestamp === undefined) return reason
  if (status.reason === 'NodeLost') return 'Unknown'
  return status.phase === 'Succeeded' || status.phase === 'Failed' ? reason : 'Terminating'
}

function restartsOf(
  statuses: readonly ContainerStatus[],
): Pick<PodSummary, 'restarts' | 'lastRestart'> {
  const ends = statuses.map(({ lastState }) => lastState?.terminated?.finishedAt ?? '')
  return {
    restarts: statuses.reduce((sum, { restartCount = 0 }) => sum + restartCount, 0),
    lastRestart: ends.sort().at(-1) ?? '',
  }
}

function orElse(text: string | undefined, other: string): string {
  return text === undefined || text === '' ? other : text
}
