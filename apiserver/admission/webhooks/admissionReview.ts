import { jsonText } from '../../meta/json/exactJson.ts'
import type { ApiObject, GroupVersion, UserInfo } from '../../meta/types.ts'
import type { AdmissionRequest } from '../../registry/admission.ts'
import type { ResourceDefinition } from '../../registry/resource.ts'
import { namespaceOf } from '../selectors.ts'

/** Request with its objects converted to one version. */
export interface VersionedRequest {
  request: AdmissionRequest
  /** Version of the resource named in the rule. */
  resource: ResourceDefinition
  /** Kind of the objects in that version. */
  kind: ResourceDefinition
  object: ApiObject | undefined
  oldObject: ApiObject | undefined
}

/**
 * Attributes of `request` in reviews and expressions, without the objects. Source: Kubernetes,
 * "Dynamic Admission Control", "Request".
 */
export function requestAttributes({ request, resource, kind }: VersionedRequest): {
  [field: string]: unknown
} {
  const { subresource, name, operation, context, review } = request
  const namespace = namespaceOf(request)
  return {
    kind: kindOf(kind),
    resource: resourceOf(resource),
    ...(subresource === '' ? {} : { subResource: subresource }),
    requestKind: kindOf(request.kind),
    requestResource: resourceOf(request.resource),
    ...(subresource === '' ? {} : { requestSubResource: subresource }),
    ...(name === '' ? {} : { name }),
    ...(namespace === '' ? {} : { namespace }),
    operation,
    userInfo: userInfo(context.user),
    dryRun: context.dryRun,
    options: decidedOptions(review.options(operation), request),
  }
}

/**
 * Deletion options with the grace period that the kind decided on, which kube-apiserver also writes
 * into the options.
 */
function decidedOptions(
  options: Record<string, unknown> | null,
  { graceSeconds }: AdmissionRequest,
): Record<string, unknown> | null {
  return graceSeconds === undefined ? options : { ...options, gracePeriodSeconds: graceSeconds }
}

/** The body of a review. */
export function reviewBody(versioned: VersionedRequest, uid: string, version: string): string {
  const { object = null, oldObject = null } = versioned
  const { dryRun, options, ...attributes } = requestAttributes(versioned)
  return jsonText({
    kind: 'AdmissionReview',
    apiVersion: `admission.k8s.io/${version}`,
    request: { uid, ...attributes, object, oldObject, dryRun, options },
  })
}

function kindOf({ group, version, kind }: GroupVersion & { kind: string }) {
  return { group, version, kind }
}

function resourceOf({ group, version, plural }: GroupVersion & { plural: string }) {
  return { group, version, resource: plural }
}

function userInfo({ name, uid, groups, extra }: UserInfo): Record<string, unknown> {
  return {
    username: name,
    ...(uid === '' ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  }
}
