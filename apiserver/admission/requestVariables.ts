import { jsonValue } from '../cel/values/jsonValues.ts'
import { memo } from './memo.ts'
import { namespaceValue } from './matchConditions.ts'
import { isNamespace, type NamespaceLookup } from './selectors.ts'
import { requestAttributes, type VersionedRequest } from './webhooks/admissionReview.ts'
import type { AuthorizerValue } from './authorizerValue.ts'

/** Variables of expressions about a request, each created on first use.
 *  Source: Kubernetes, "Validating Admission Policy", "Validation Expression". */
export function requestVariables(
  versioned: VersionedRequest,
  lookup: NamespaceLookup,
  authorizer: AuthorizerValue,
): object {
  const { request, object, oldObject } = versioned
  const makers = {
    object: memo(() => jsonValue(object)),
    oldObject: memo(() => jsonValue(oldObject)),
    request: memo(() => jsonValue(expressed(requestAttributes(versioned)))),
    namespaceObject: memo(() => namespaceValue(namespaceObject(request, lookup))),
  }
  return {
    get object() {
      return makers.object()
    },
    get oldObject() {
      return makers.oldObject()
    },
    get request() {
      return makers.request()
    },
    get namespaceObject() {
      return makers.namespaceObject()
    },
    authorizer,
  }
}

/** Strings that a review leaves out are empty in expressions. */
function expressed({ userInfo, ...attributes }: Record<string, unknown>): Record<string, unknown> {
  return {
    subResource: '',
    requestSubResource: '',
    name: '',
    namespace: '',
    ...attributes,
    userInfo: { uid: '', groups: [], extra: {}, ...(userInfo as object) },
  }
}

function namespaceObject(
  { resource, namespace, object, oldObject }: VersionedRequest['request'],
  lookup: NamespaceLookup,
): object | undefined {
  if (isNamespace(resource))
    return object === undefined || oldObject === undefined ? oldObject : object
  return resource.namespaced ? lookup(namespace) : undefined
}
