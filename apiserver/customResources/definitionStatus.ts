import { formatTime } from '../meta/clock.ts'
import type { Acceptance } from './acceptedNames.ts'
import { approvalOf, type Approval } from './approval.ts'
import {
  cleanupFinalizer,
  conditionIsTrue,
  type CustomResourceDefinition,
  type DefinitionCondition,
} from './definition.ts'

type Wanted = Omit<DefinitionCondition, 'lastTransitionTime'>

/**
 * Definition with the conditions about its names and its approval. `isServed`: its objects are
 * accessible. Source: apiextensions, the naming, the establishing and the approval controller.
 */
export function withAcceptance(
  definition: CustomResourceDefinition,
  { names, condition }: Acceptance,
  now: { isServed: boolean; nowMs: number },
): CustomResourceDefinition {
  const conditions = definition.status?.conditions ?? []
  const named = withCondition(conditions, condition, now.nowMs)
  const established = conditionIsTrue(definition, 'Established')
    ? named
    : withCondition(named, establishment(now.isServed), now.nowMs)
  const approval = approvalOf(definition)
  const approved =
    approval === undefined
      ? established
      : withCondition(established, conformance(approval), now.nowMs)
  const status = { ...definition.status, conditions: approved, acceptedNames: names }
  return { ...definition, status }
}

function conformance({ state, message }: Approval): Wanted {
  return {
    type: 'KubernetesAPIApprovalPolicyConformant',
    status: state === 'Approved' ? 'True' : 'False',
    reason: `${state}Annotation`,
    message,
  }
}

function establishment(isServed: boolean): Wanted {
  return isServed
    ? {
        type: 'Established',
        status: 'True',
        reason: 'InitialNamesAccepted',
        message: 'the initial names have been accepted',
      }
    : {
        type: 'Established',
        status: 'False',
        reason: 'NotAccepted',
        message: 'not all names are accepted',
      }
}

/** Conditions for the deletion of a definition's objects. */
export const deletion = {
  pending: {
    status: 'True',
    reason: 'InstanceDeletionPending',
    message:
      'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
  },
  inProgress: {
    status: 'True',
    reason: 'InstanceDeletionInProgress',
    message: 'CustomResource deletion is in progress',
  },
  completed: {
    status: 'False',
    reason: 'InstanceDeletionCompleted',
    message: 'removed all instances',
  },
  neverEstablished: {
    status: 'False',
    reason: 'NeverEstablished',
    message: 'resource was never established',
  },
} as const

/** Definition with a condition about the progress of its deletion. */
export function withDeletion(
  definition: CustomResourceDefinition,
  state: keyof typeof deletion,
  nowMs: number,
): CustomResourceDefinition {
  const wanted = { type: 'Terminating', ...deletion[state] }
  const conditions = withCondition(definition.status?.conditions ?? [], wanted, nowMs)
  return { ...definition, status: { ...definition.status, conditions } }
}

/** Definition without the finalizer that protects its objects. */
export function letGo(definition: CustomResourceDefinition): CustomResourceDefinition {
  const { finalizers = [], ...metadata } = definition.metadata
  const left = finalizers.filter((finalizer) => finalizer !== cleanupFinalizer)
  return {
    ...definition,
    metadata: { ...metadata, ...(left.length > 0 ? { finalizers: left } : {}) },
  }
}

/** Sets a condition, whose transition time changes only with its status. */
function withCondition(
  conditions: readonly DefinitionCondition[],
  wanted: Wanted,
  nowMs: number,
): DefinitionCondition[] {
  const before = conditions.find(({ type }) => type === wanted.type)
  const since = before?.status === wanted.status ? before.lastTransitionTime : undefined
  const condition = { ...wanted, lastTransitionTime: since ?? formatTime(nowMs) }
  if (before === undefined) return [...conditions, condition]
  return conditions.map((other) => (other === before ? condition : other))
}
