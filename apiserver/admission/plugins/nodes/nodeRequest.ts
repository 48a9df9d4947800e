import type { Authorizer } from '../../../authorization/authorizer.ts'
import { notFound } from '../../../meta/statusErrors.ts'
import type { ApiObject, GroupResource } from '../../../meta/types.ts'
import type { AdmissionRequest } from '../../../registry/admission.ts'
import type { PlaneObjects } from '../../planeObjects.ts'
import { refusal } from '../pods/podRefusal.ts'

/** A write of a node, and the objects that its rules look up. */
export interface NodeRequest {
  request: AdmissionRequest
  /** Name of the writing node. */
  node: string
  objects: PlaneObjects
  authorize: Authorizer
}

/** A rule of NodeRestriction. Refuses by throwing a StatusError. */
export type NodeRule = (given: NodeRequest) => void | Promise<void>

/** @throws StatusError Forbidden unless the condition holds. */
export function require(isSo: boolean, { request }: NodeRequest, why: string): void {
  if (!isSo) throw refusal(request, why)
}

/** Object of a kind; messages use the singular of the kind. @throws StatusError NotFound. */
export function existing(
  { objects }: NodeRequest,
  { group, resource, namespace = '', name }: GroupResource & { namespace?: string; name: string },
): ApiObject {
  const found = objects.get({ group, resource: `${resource}s` }, namespace, name)
  if (found === undefined) throw notFound({ group, resource }, name)
  return found
}

/** Reports whether the user has a right on a name that is not an API object. */
export async function isAllowed(
  { request, authorize }: NodeRequest,
  { verb, resource, name }: { verb: string; resource: string; name: string },
): Promise<boolean> {
  const { group, version } = request.resource
  const { allowed } = await authorize({
    ...{ user: request.context.user, verb, isResource: true, path: '' },
    ...{ group, version, resource, subresource: '', namespace: request.namespace, name },
  })
  return allowed
}
