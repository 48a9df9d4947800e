import type { Variables } from '../cel/library.ts'
import { jsonValue } from '../cel/values/jsonValues.ts'
import { memo } from '../meta/collections/memo.ts'
import { namespaceValue } from './matchConditions.ts'
import { isNamespace, type NamespaceLookup } from './selectors.ts'
import { requestAttributes, type VersionedRequest } from './webhooks/admissionReview.ts'
import type { AuthorizerValue } from './authorizerValue.ts'

/**
 * Variables about a request for expressions, each created on first use. Source: Kubernetes,
 * "Validating Admission Policy", "Validation Expression".
 */
export function requestVariables(
  versioned: VersionedRequest,
  lookup: NamespaceLookup,
  authorizer: AuthorizerValue,
): Variables {
  const { request, object, oldObject } = versioned
  return new Map<string, () => unknown>([
    ['object', memo(() => jsonValue(object))],
    ['oldObject', memo(() => jsonValue(oldObject))],
    ['request', memo(() => jsonValue(requestAttributes(versioned)))],
    ['namespaceObject', memo(() => namespaceValue(namespaceObject(request, lookup)))],
    ['authorizer', () => authorizer],
  ])
}

function namespaceObject(
  { resource, namespace, object, oldObject }: VersionedRequest['request'],
  lookup: NamespaceLookup,
): object | undefined {
  if (isNamespace(resource))
    return object === undefined || oldObject === undefined ? oldObject : object
  return resource.namespaced ? lookup(namespace) : undefined
}
