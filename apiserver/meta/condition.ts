import { formatTime } from './clock.ts'

/** A condition of a management object. Source: platform facts 1.1. */
export interface Condition {
  /** CamelCase, unique in a list. */
  type: string
  status: 'True' | 'False' | 'Unknown'
  /** Only set if the status is False. */
  severity?: 'Error' | 'Warning' | 'Info'
  /** RFC 3339, UTC, whole seconds. */
  lastTransitionTime?: string
  reason?: string
  message?: string
}

/**
 * The list with `wanted` replacing the condition of its type, or appended. The transition time changes only with the
 * status, so that setting the same condition again results in equal bytes.
 */
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
