import { isDeepStrictEqual } from 'node:util'
import type { AuthorizationAttributes, Authorizer } from '../../../authorization/authorizer.ts'
import type { ApiObject, OwnerReference } from '../../../meta/types.ts'
import type { AdmissionRequest } from '../../../registry/admission.ts'
import type { ResourceDefinition } from '../../../registry/resource.ts'
import type { ResourceSet } from '../../../registry/resourceSet.ts'
import type { AdmissionPlugin } from '../../admissionPlugin.ts'
import { isTarget } from '../podTarget.ts'
import { refusal } from '../pods/podRefusal.ts'

export interface OwnerPermissionOptions {
  authorize: Authorizer
  resources: () => ResourceSet
}

const podStatus = {
  group: '',
  plural: 'pods',
  operations: ['UPDATE'],
  subresource: 'status',
} as const

/**
 * Requires the right to delete an object for changing its owners, and the right to set an owner's
 * finalizers for blocking the owner's deletion. Source: Kubernetes,
 * OwnerReferencesPermissionEnforcement.
 */
export function ownerPermission(options: OwnerPermissionOptions): AdmissionPlugin {
  return {
    name: 'OwnerReferencesPermissionEnforcement',
    handles: (target) =>
      (target.operation === 'CREATE' || target.operation === 'UPDATE') &&
      !isTarget(target, podStatus),
    validate: (request) => {
      const { object, oldObject } = request
      // Connections and reviews have no owner references.
      if (object === undefined || isDeepStrictEqual(ownersOf(object), ownersOf(oldObject))) {
        return undefined
      }
      return check(request, options)
    },
  }
}

function ownersOf(object: ApiObject | undefined): readonly OwnerReference[] {
  return object?.metadata.ownerReferences ?? []
}

async function check(
  request: AdmissionRequest,
  { authorize, resources }: OwnerPermissionOptions,
): Promise<void> {
  const ask = async (verb: string, right: Right): Promise<boolean> => {
    const user = request.context.user
    const { allowed } = await authorize({ user, verb, isResource: true, path: '', ...right })
    return allowed
  }
  if (request.operation === 'UPDATE' && !(await ask('delete', ownRight(request)))) {
    throw refusal(request, "cannot set an ownerRef on a resource you can't delete: , <nil>")
  }
  const blocking = newlyBlocking(request)
  if (blocking.length === 0 || (await ask('update', finalizersOfAll))) return
  for (const owner of blocking) {
    const kind = ownerKind(owner, resources())
    if (kind === undefined) throw refusal(request, unknownKind(owner))
    if (await ask('update', finalizersOf(owner, kind, request.namespace))) continue
    const why =
      "cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on: , <nil>"
    throw refusal(request, why)
  }
}

type Right = Omit<AuthorizationAttributes, 'user' | 'verb' | 'isResource' | 'path'>

function ownRight({ resource, subresource, namespace, name }: AdmissionRequest): Right {
  const { group, version, plural } = resource
  return { group, version, resource: plural, subresource, namespace, name }
}

const finalizersOfAll: Right = {
  ...{ group: '*', version: '*', resource: '*', subresource: 'finalizers' },
  ...{ namespace: '', name: '*' },
}

function finalizersOf(
  { name }: OwnerReference,
  { group, version, plural, namespaced }: ResourceDefinition,
  namespace: string,
): Right {
  return {
    ...{ group, version, resource: plural, subresource: 'finalizers', name },
    namespace: namespaced ? namespace : '',
  }
}

function newlyBlocking({ object, oldObject }: AdmissionRequest): OwnerReference[] {
  const before = ownersOf(oldObject)
  return ownersOf(object).filter(({ uid, blockOwnerDeletion }) => {
    const was = before.find((owner) => owner.uid === uid)
    return blockOwnerDeletion === true && was?.blockOwnerDeletion !== true
  })
}

function ownerKind(
  { apiVersion, kind }: OwnerReference,
  resources: ResourceSet,
): ResourceDefinition | undefined {
  return resources.ofKind({ apiVersion, kind })
}

function unknownKind({ apiVersion, kind }: OwnerReference): string {
  const why = `no matches for kind "${kind}" in version "${apiVersion}"`
  return `cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion ${apiVersion} Kind ${kind}: ${why}`
}
