import type { PodCondition, PodStatus } from '../../shapes/coreV1.ts'
import type { Pod } from './podTypes.ts'

/** Sets a condition of a pod; the transition time changes only with the status. Changes `pod`. */
export function setPodCondition(
  { status }: Pod,
  wanted: Omit<PodCondition, 'lastTransitionTime'>,
  now: string,
): void {
  const conditions = status.conditions ?? []
  const before = conditions.find(({ type }) => type === wanted.type)
  const isSame = before !== undefined && before.status === wanted.status
  const lastTransitionTime = (isSame ? before.lastTransitionTime : undefined) ?? now
  const condition = { ...wanted, lastTransitionTime }
  status.conditions =
    before === undefined
      ? [...conditions, condition]
      : conditions.map((other) => (other === before ? condition : other))
}

export function hasPodCondition({ conditions = [] }: PodStatus, type: string): boolean {
  return conditions.some((one) => one.type === type && one.status === 'True')
}
