import type { Interval, Model } from './checkLinearizable.ts'

/** Response to a caller. */
export type Outcome =
  /** Success of a write or read. A deletion has neither value nor revision. */
  | { kind: 'done'; value?: string; revision?: number }
  /** 404 */
  | { kind: 'absent' }
  /** 409 AlreadyExists */
  | { kind: 'exists' }
  /** 409 Conflict */
  | { kind: 'conflict' }
  /** Missing or inconclusive response: the operation took effect before the end, or never. */
  | { kind: 'unknown' }

/** Operation on an object. */
export interface ObjectOperation extends Interval {
  caller: number
  name: string
  action: 'create' | 'update' | 'delete' | 'get'
  /** Value of a create or an update; absent for others. */
  wrote?: string
  /** Revision that an update or a deletion expects. Absent: any. */
  expected?: number
  outcome: Outcome
}

/** Current object; undefined: it does not exist. */
export type ObjectState = { value: string; revision: number | undefined } | undefined

/** Model of an API object: a register with versions, which may be absent. */
export const objectModel: Model<ObjectState, ObjectOperation> = {
  initial: undefined,
  step: (state, operation) => steps[operation.action](state, operation),
  keyOf: (state) => (state === undefined ? '' : `${state.value}@${state.revision ?? '?'}`),
  isOpen: ({ outcome }) => outcome.kind === 'unknown',
}

type Step = (state: ObjectState, operation: ObjectOperation) => ObjectState[]

const steps: Readonly<Record<ObjectOperation['action'], Step>> = {
  create: (state, operation) => {
    const { outcome } = operation
    if (outcome.kind === 'exists') return state === undefined ? [] : [state]
    return state === undefined ? written(state, operation) : unlessDone(state, outcome)
  },
  update: (state, operation) => {
    const { outcome } = operation
    if (outcome.kind === 'absent') return state === undefined ? [state] : []
    if (outcome.kind === 'conflict') return isOther(state, operation) ? [state] : []
    return isExpected(state, operation) ? written(state, operation) : unlessDone(state, outcome)
  },
  delete: (state, operation) => {
    const { outcome } = operation
    if (outcome.kind === 'absent') return state === undefined ? [state] : []
    if (outcome.kind === 'conflict') return isOther(state, operation) ? [state] : []
    if (!isExpected(state, operation)) return unlessDone(state, outcome)
    return outcome.kind === 'done' ? [undefined] : [undefined, state]
  },
  get: (state, { outcome }) => {
    if (outcome.kind !== 'done') return state === undefined ? [state] : []
    if (state === undefined || state.value !== outcome.value) return []
    if (state.revision !== undefined && state.revision !== outcome.revision) return []
    return [{ value: state.value, revision: outcome.revision }]
  },
}

/** State after a write that is possible. */
function written(state: ObjectState, { wrote = '', outcome }: ObjectOperation): ObjectState[] {
  if (outcome.kind === 'done') return [{ value: wrote, revision: outcome.revision }]
  return outcome.kind === 'unknown' ? [{ value: wrote, revision: undefined }, state] : []
}

function unlessDone(state: ObjectState, { kind }: Outcome): ObjectState[] {
  return kind === 'unknown' ? [state] : []
}

/** A revision that no client has seen may have any value. */
function isExpected(state: ObjectState, { expected }: ObjectOperation): boolean {
  if (state === undefined) return false
  return expected === undefined || state.revision === undefined || state.revision === expected
}

function isOther(state: ObjectState, { expected }: ObjectOperation): boolean {
  return state !== undefined && (state.revision === undefined || state.revision !== expected)
}
