import { invalidField, requiredField, type FieldError } from '../../../../meta/fieldErrors.ts'
import type { ResourceQuotaSpec, ScopedResourceSelectorRequirement } from '../../shapes/coreV1.ts'
import { countedNames, isHugePages, resourceNameErrors } from '../container/resourceRules.ts'

const bounded = ['cpu', 'memory', 'ephemeral-storage']
const quotaNames = [
  ...bounded,
  ...bounded.flatMap((name) => [`requests.${name}`, `limits.${name}`]),
  ...countedNames,
  'requests.storage',
]
const storageClass = '.storageclass.storage.k8s.io/'

/**
 * Errors for a quota's resource name. Source: Kubernetes documentation, "Resource Quotas"; observed
 * answers.
 */
export function quotaNameErrors(path: string, name: string): FieldError[] {
  const errors = resourceNameErrors(path, name)
  if (name.includes('/') || name.includes(storageClass)) return errors
  return isStandard(name)
    ? errors
    : [...errors, invalidField(path, name, 'must be a standard resource for quota')]
}

const ofPods = [
  'pods',
  ...bounded.slice(0, 2).flatMap((name) => [name, `limits.${name}`, `requests.${name}`]),
]
const ofClaims = ['persistentvolumeclaims', 'requests.storage']

/** Resources with which each scope can be combined. */
const scopes: Readonly<Record<string, readonly string[]>> = {
  BestEffort: ['pods'],
  CrossNamespacePodAffinity: ofPods,
  NotBestEffort: ofPods,
  NotTerminating: ofPods,
  PriorityClass: ofPods,
  Terminating: ofPods,
  VolumeAttributesClass: ofClaims,
}
const opposites = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
] as const
const valued = ['PriorityClass', 'VolumeAttributesClass']
const existsText =
  "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity"

export function scopeErrors(
  path: string,
  { hard = {}, scopes: given = [] }: ResourceQuotaSpec,
): FieldError[] {
  const refused = (why: string) => invalidField(path, given, why)
  return [
    ...given.flatMap((scope) => [
      ...(Object.hasOwn(scopes, scope) ? [] : [refused('unsupported scope')]),
      ...unfit(scope, hard).map(() => refused('unsupported scope applied to resource')),
    ]),
    ...opposites
      .filter((pair) => pair.every((scope) => given.includes(scope)))
      .map(() => refused('conflicting scopes')),
  ]
}

function isStandard(name: string): boolean {
  return quotaNames.includes(name) || isHugePages(name)
}

/** Resources to which a scope does not apply. */
function unfit(scope: string, hard: Readonly<Record<string, string>>): string[] {
  const known = scopes[scope]
  if (known === undefined) return []
  return Object.keys(hard).filter((name) => isStandard(name) && !known.includes(name))
}

export function scopeSelectorErrors(
  path: string,
  { hard = {}, scopeSelector: { matchExpressions = [] } = {} }: ResourceQuotaSpec,
): FieldError[] {
  const shown = {
    MatchExpressions: matchExpressions.map(({ scopeName = '', operator = '', values = null }) => ({
      ScopeName: scopeName,
      Operator: operator,
      Values: values,
    })),
  }
  const detail = 'unsupported scope applied to resource'
  return matchExpressions.flatMap((test) => {
    const { scopeName = '', operator = '' } = test
    const isKnown = Object.hasOwn(scopes, scopeName)
    const needsExists = isKnown && !valued.includes(scopeName) && operator !== 'Exists'
    return [
      ...(isKnown ? [] : [invalidField(`${path}.scopeName`, scopeName, 'unsupported scope')]),
      ...unfit(scopeName, hard).map(() => invalidField(path, shown, detail)),
      ...(needsExists ? [invalidField(`${path}.operator`, operator, existsText)] : []),
      ...operatorErrors(path, test),
    ]
  })
}

function operatorErrors(
  path: string,
  { operator = '', values = [] }: ScopedResourceSelectorRequirement,
): FieldError[] {
  switch (operator) {
    case 'In':
    case 'NotIn': {
      const detail =
        "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector"
      return values.length > 0 ? [] : [requiredField(`${path}.values`, detail)]
    }
    case 'Exists':
    case 'DoesNotExist': {
      const detail =
        "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector"
      return values.length === 0 ? [] : [invalidField(`${path}.values`, values, detail)]
    }
    default:
      return [invalidField(`${path}.operator`, operator, 'not a valid selector operator')]
  }
}
