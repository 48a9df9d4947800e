import { formatTime } from './clock.ts'

/** One condition that a management object is in. Source: platform facts 1.1. */
export interface Condition {
  /** CamelCase, unique in a list. */
  type: string
  status: 'True' | 'False' | 'Unknown'
  /** Set only where the status is False. */
  severity?: 'Error' | 'Warning' | 'Info'
  /** RFC 3339, UTC, whole seconds. */
  lastTransitionTime?: string
  reason?: string
  message?: string
}

/** The list with `wanted` in the place of the condition of its type, or at its end. The time moves only where the status
 *  does, so that setting the same again gives equal bytes. */
export function withCondition(
  conditions: readonly Condition[],
  wanted: Omit<Condition, 'lastTransitionTime'>,
  nowMs: number,
): Condition[] {
  const { type, status, severity, reason, message } = wanted
  const before = conditions.find((condition) => condition.type === type)
  const since = before?.status === status ? before.lastTransitionTime : undefined
  const condition: Condition = {
    type,
    status,
    ...(severity === undefined ? {} : { severity }),
    lastTransitionTime: since ?? formatTime(nowMs),
    ...(reason === undefined ? {} : { reason }),
    ...(message === undefined ? {} : { message }),
  }
  if (before === undefined) return [...conditions, condition]
  return conditions.map((other) => (other === before ? condition : other))
}

export function withoutCondition(conditions: readonly Condition[], type: string): Condition[] {
  return conditions.filter((condition) => condition.type !== type)
}
