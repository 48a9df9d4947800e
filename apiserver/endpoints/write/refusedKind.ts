import { runSteps } from '../../meta/waiting/steps.ts'
import type { ApiObject } from '../../meta/types.ts'
import type { ResourceDefinition } from '../../registry/resource.ts'
import { pauseOf } from '../../registry/userTurns.ts'
import { otherKind } from '../body/bodyType.ts'
import type { Exchange } from '../exchange.ts'
import { reviewedContext } from './clientReview.ts'

export interface RefusedKind {
  /** Kind in the body. */
  kind: string
  object: ApiObject
  resource: ResourceDefinition
  dryRun: boolean
}

/**
 * Refuses another kind in place of a custom one, with the errors of what does not depend on the kind: lists, embedded
 * objects and validation rules. @throws StatusError Invalid. Source: seen on kube-apiserver 1.37.2.
 */
export async function refuseKind(
  { kind, object, resource, dryRun }: RefusedKind,
  exchange: Exchange,
): Promise<never> {
  const { strategy } = resource
  const errors = strategy.foreignKindErrors?.(object) ?? []
  const context = reviewedContext(exchange, dryRun)
  const steps = strategy.validateInSteps?.(errors, object, undefined, context)
  const broken = steps && (await runSteps(steps, pauseOf(context)))
  const { name = '' } = object.metadata
  throw otherKind(kind, resource, name, [...errors, ...(broken ?? [])])
}
