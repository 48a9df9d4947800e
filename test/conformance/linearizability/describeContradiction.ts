import type { Contradiction } from './checkLinearizable.ts'
import { objectModel, type ObjectOperation, type ObjectState } from './objectModel.ts'

const shownBefore = 6

/** Report for debugging: the operations that cannot come next, and the last ones explained. */
export function describeContradiction(
  name: string,
  history: readonly ObjectOperation[],
  { explained, state, stuck }: Contradiction<ObjectState, ObjectOperation>,
): string {
  const ended = [...history].sort((a, b) => a.end - b.end).slice(0, explained)
  return [
    `${name}: ${explained} of ${history.length} operations have an order; the object is then ${objectModel.keyOf(state) || 'absent'}`,
    ...ended.slice(-shownBefore).map((operation) => `  before ${line(operation)}`),
    ...stuck.map((operation) => `  stuck  ${line(operation)}`),
  ].join('\n')
}

function line(operation: ObjectOperation): string {
  const { call, end, caller, action, wrote, expected, outcome } = operation
  const asked = [action, wrote, expected === undefined ? '' : `at ${expected}`]
  return `${call.toFixed(1)}–${end.toFixed(1)} caller ${caller}: ${asked.filter(Boolean).join(' ')} → ${JSON.stringify(outcome)}`
}
