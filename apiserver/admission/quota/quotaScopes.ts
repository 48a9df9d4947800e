import { qualityOf } from '../../apis/kubernetes/core/pod/podQuality.ts'
import { asPod } from '../../apis/kubernetes/core/pod/podTypes.ts'
import type { PodSpec, ResourceQuotaSpec } from '../../apis/kubernetes/shapes/coreV1.ts'
import type { ApiObject, GroupResource } from '../../meta/types.ts'

interface ScopeTest {
  scopeName?: string
  operator?: string
  values?: string[]
}

/**
 * Reports whether a quota applies to an object: every scope must match. Quotas without scopes apply to all objects.
 * Source: Kubernetes, "Quota scopes".
 */
export function inScopes(spec: ResourceQuotaSpec, kind: GroupResource, object: ApiObject): boolean {
  const tests: ScopeTest[] = [
    ...(spec.scopes ?? []).map((scopeName) => ({ scopeName, operator: 'Exists' })),
    ...(spec.scopeSelector?.matchExpressions ?? []),
  ]
  if (tests.length === 0) return true
  if (kind.group !== '') return false
  if (kind.resource === 'persistentvolumeclaims') {
    return tests.every((test) => claimFits(test, object))
  }
  if (kind.resource !== 'pods') return false
  const pod = asPod({ ...object }).spec
  return tests.every((test) => podFits(test, pod))
}

function podFits(test: ScopeTest, spec: PodSpec): boolean {
  switch (test.scopeName ?? '') {
    case 'Terminating':
      return spec.activeDeadlineSeconds !== undefined
    case 'NotTerminating':
      return spec.activeDeadlineSeconds === undefined
    case 'BestEffort':
      return qualityOf(spec) === 'BestEffort'
    case 'NotBestEffort':
      return qualityOf(spec) !== 'BestEffort'
    case 'PriorityClass':
      return valueFits(test, spec.priorityClassName ?? '')
    case 'CrossNamespacePodAffinity':
      return crossesNamespaces(spec)
    default:
      return false
  }
}

function claimFits(test: ScopeTest, object: ApiObject): boolean {
  if (test.scopeName !== 'VolumeAttributesClass') return false
  const { volumeAttributesClassName = '' } = (object['spec'] ?? {}) as {
    volumeAttributesClassName?: string
  } // typed by its schema
  return valueFits(test, volumeAttributesClassName)
}

function valueFits({ operator, values = [] }: ScopeTest, value: string): boolean {
  switch (operator ?? '') {
    case 'In':
      return values.includes(value)
    case 'NotIn':
      return !values.includes(value)
    case 'DoesNotExist':
      return value === ''
    default:
      return value !== ''
  }
}

function crossesNamespaces({ affinity = {} }: PodSpec): boolean {
  const terms = [affinity.podAffinity ?? {}, affinity.podAntiAffinity ?? {}].flatMap((one) => [
    ...(one.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(one.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(
      ({ podAffinityTerm = {} }) => podAffinityTerm,
    ),
  ])
  return terms.some(
    ({ namespaces = [], namespaceSelector }) =>
      namespaces.length > 0 || namespaceSelector !== undefined,
  )
}
