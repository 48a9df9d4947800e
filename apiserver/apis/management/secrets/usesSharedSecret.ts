import { withoutCondition } from '../../../meta/condition.ts'
import { goQuote } from '../../../meta/goQuote.ts'
import { managementGroup, type NamesProfile } from '../../../meta/names/namesProfile.ts'
import type { StatusError } from '../../../meta/status.ts'
import { forbidden } from '../../../meta/statusErrors.ts'
import type { ApiObject, UserInfo } from '../../../meta/types.ts'
import { groupResource, type ResourceDefinition } from '../../../registry/resource.ts'
import type { RequestContext, Strategy } from '../../../registry/strategy.ts'
import type { PlaneAccess } from '../../planeAccess.ts'
import { withAnnotation } from '../annotations.ts'
import { conditionsAnnotation, type SecretForm } from './secretForm.ts'
import {
  isSameReference,
  SharedSecretMarks,
  type SharedSecretReference,
} from './sharedSecretReference.ts'

/** Condition that reports the result of copying. */
export const takingCondition = 'Ready'

export interface TakingParts {
  names: NamesProfile
  access: PlaneAccess
  form: SecretForm
}

/**
 * Makes objects of `resource` copy the shared secret in their labels. Only users who may read that
 * secret may set the labels. They are recorded, since the right is checked again whenever data is
 * copied.
 */
export function takesSharedSecret(
  resource: ResourceDefinition,
  parts: TakingParts,
): ResourceDefinition {
  return { ...resource, strategy: { ...resource.strategy, ...takingHooks(resource, parts) } }
}

function takingHooks(resource: ResourceDefinition, parts: TakingParts): Strategy {
  const { names, access } = parts
  const marks = new SharedSecretMarks(names)
  const inner = resource.strategy
  return {
    authorizeWrite: async (next, old, context) => {
      await inner.authorizeWrite?.(next, old, context)
      const wanted = marks.reference(next)
      if (wanted === undefined || isSameReference(wanted, old && marks.reference(old))) return
      if (await mayTake(access, names, context.user, wanted)) return
      throw refusal(resource, { names, next, user: context.user, wanted })
    },
    prepareForCreate: (object, context) => {
      inner.prepareForCreate?.(object, context)
      Object.assign(object, marked(object, undefined, context, parts))
    },
    prepareForUpdate: (next, old, context) => {
      inner.prepareForUpdate?.(next, old, context)
      Object.assign(next, marked(next, old, context, parts))
    },
  }
}

/** `next` with the server's annotations: unchanged, set again if the labels changed, or removed with the labels. */
function marked(
  next: ApiObject,
  old: ApiObject | undefined,
  context: RequestContext,
  { names, form }: TakingParts,
): ApiObject {
  const marks = new SharedSecretMarks(names)
  const wanted = marks.reference(next)
  const before = old && marks.reference(old)
  const isSame = isSameReference(wanted, before)
  if (isSame && old !== undefined && context.isTrusted === true) return next
  const annotations = wanted && old?.metadata.annotations
  let result = next
  for (const name of [...marks.annotations, conditionsAnnotation(names)]) {
    result = withAnnotation(result, name, annotations?.[name])
  }
  if (isSame) return result
  if (wanted !== undefined) return marks.withGrantor(result, context.user)
  return form.withConditions(result, withoutCondition(form.conditions(result), takingCondition))
}

/**
 * Reports whether the user may read the shared secret, which need not exist: by `get`, or by `use`,
 * the right to copy it.
 */
export async function mayTake(
  access: PlaneAccess,
  names: NamesProfile,
  user: UserInfo,
  { namespace, name }: SharedSecretReference,
): Promise<boolean> {
  const group = managementGroup(names)
  const request = { user, isResource: true, group, version: 'v1', subresource: '', path: '' }
  for (const verb of ['get', 'use']) {
    const asked = { ...request, verb, resource: 'sharedsecrets', namespace, name }
    if ((await access.authorize(asked)).allowed) return true
  }
  return false
}

interface RefusedTaking {
  names: NamesProfile
  next: ApiObject
  user: UserInfo
  wanted: SharedSecretReference
}

function refusal(resource: ResourceDefinition, refused: RefusedTaking): StatusError {
  const { names, next, user, wanted } = refused
  const group = managementGroup(names)
  const why = `User ${goQuote(user.name)} cannot get or use resource "sharedsecrets" in API group ${goQuote(group)} in the namespace ${goQuote(wanted.namespace)}, so the object may not take over ${goQuote(wanted.name)}`
  return forbidden(groupResource(resource), next.metadata.name ?? '', why)
}
