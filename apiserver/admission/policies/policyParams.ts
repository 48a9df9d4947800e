import { selectorMatches } from '../../apis/kubernetes/labelSelection.ts'
import type { ApiObject } from '../../meta/types.ts'
import type { AdmissionRequest } from '../../registry/admission.ts'
import { groupResource, storedKind } from '../../registry/resource.ts'
import type { ResourceSet } from '../../registry/resourceSet.ts'
import type { PlaneObjects } from '../planeObjects.ts'
import type { MatchedPolicy } from './registeredPolicies.ts'

/** Error for a policy or a binding that cannot be applied. */
export class PolicyConfigurationError extends Error {
  /** True if the policy itself is invalid, regardless of its bindings. */
  readonly isOfPolicy: boolean

  constructor(message: string, isOfPolicy = false) {
    super(message)
    this.isOfPolicy = isOfPolicy
  }
}

/**
 * Parameters with which a binding evaluates its policy, one at a time; null: without a parameter.
 * Empty: the evaluation is skipped.
 * @throws PolicyConfigurationError.
 */
export async function policyParams(
  { policy, binding }: MatchedPolicy,
  request: AdmissionRequest,
  objects: PlaneObjects,
  resources: ResourceSet,
): Promise<(ApiObject | null)[]> {
  const { paramKind } = policy.spec
  const { paramRef } = binding.spec
  if (paramKind === undefined || paramRef === undefined) return [null]
  const { apiVersion = '', kind = '' } = paramKind
  const found = resources
    .all()
    .find((one) => one.kind === kind && versionOf(one) === apiVersion && one.answers === undefined)
  if (found === undefined) {
    const named = `'${apiVersion}, Kind=${kind}'`
    throw new PolicyConfigurationError(
      `failed to configure policy: failed to find resource referenced by paramKind: ${named}`,
      true,
    )
  }
  const namespace = namespaceOf(found.namespaced, paramRef.namespace ?? '', request)
  const stored = groupResource(storedKind(found))
  const { name = '', selector, parameterNotFoundAction } = paramRef
  const all =
    name === ''
      ? (await objects.list(stored, namespace)).filter(({ metadata }) =>
          selectorMatches(selector ?? {}, metadata.labels),
        )
      : [objects.get(stored, namespace, name)].filter((one) => one !== undefined)
  if (all.length > 0 || parameterNotFoundAction === 'Allow') return all
  throw new PolicyConfigurationError(
    'failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction',
  )
}

function versionOf({ group, version }: { group: string; version: string }): string {
  return group === '' ? version : `${group}/${version}`
}

function namespaceOf(isNamespaced: boolean, given: string, request: AdmissionRequest): string {
  const fail = (why: string) => new PolicyConfigurationError(`failed to configure binding: ${why}`)
  if (!isNamespaced) {
    if (given === '') return ''
    throw fail('paramRef.namespace must not be provided for a cluster-scoped `paramKind`')
  }
  if (given !== '') return given
  if (request.namespace !== '') return request.namespace
  throw fail(
    'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources',
  )
}
