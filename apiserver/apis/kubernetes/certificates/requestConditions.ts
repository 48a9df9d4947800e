import type { ApiObject } from '../../../meta/types.ts'
import { conditionsOfType, decisions, requestStatus } from './requestShapes.ts'

/** Keeps the stored decisions: a status write may change only other conditions. Changes `next`. */
export function keepConditions(next: ApiObject, old: ApiObject): void {
  for (const type of decisions) {
    const [after, before] = [conditionsOfType(next, type), conditionsOfType(old, type)]
    if (after.length !== before.length) continue
    for (const [index, condition] of after.entries()) Object.assign(condition, before[index])
  }
}

/** Sets missing times of conditions: a condition whose status did not change keeps its transition time. Changes
 *  `next`. */
export function setConditionTimes(next: ApiObject, old: ApiObject, nowMs = Date.now()): void {
  const now = new Date(nowMs).toISOString().replace(/\.\d+Z$/, 'Z')
  const before = requestStatus(old).conditions ?? []
  for (const condition of requestStatus(next).conditions ?? []) {
    condition.lastUpdateTime ??= now
    condition.lastTransitionTime ??=
      before.find(({ type, status }) => type === condition.type && status === condition.status)
        ?.lastTransitionTime ?? now
  }
}
