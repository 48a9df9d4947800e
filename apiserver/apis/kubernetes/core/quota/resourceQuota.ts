import { invalidField, type FieldError } from '../../../../meta/fieldErrors.ts'
import type { ApiObject } from '../../../../meta/types.ts'
import type { ResourceDefinition } from '../../../../registry/resource.ts'
import { ageColumn, nameColumn } from '../../../../registry/table.ts'
import { builtInKind, statusSubresource, type KindContext } from '../../builtInKind.ts'
import { cellColumn } from '../../../columns.ts'
import { isSame } from '../../../fieldChecks.ts'
import type { ResourceQuotaSpec, ResourceQuotaStatus } from '../../shapes/coreV1.ts'
import { quotaNameErrors, scopeErrors, scopeSelectorErrors } from './quotaRules.ts'
import { compareQuantityStrings } from '../quantityRules.ts'
import { resourceQuantityErrors } from '../container/resourceRules.ts'

interface Quota {
  spec?: ResourceQuotaSpec
  status?: ResourceQuotaStatus
}

/**
 * Definition of the ResourceQuota kind. Admission enforces it and maintains its status. Source: Kubernetes API
 * reference, ResourceQuota v1.
 */
export function resourceQuotaResource({ types }: KindContext): ResourceDefinition {
  return builtInKind(types, {
    group: '',
    version: 'v1',
    plural: 'resourcequotas',
    kind: 'ResourceQuota',
    namespaced: true,
    shortNames: ['quota'],
    description: 'ResourceQuota limits the total resource usage of a namespace.',
    strategy: {
      metadata: { namesOnCreate: true },
      generation: 'none',
      deletion: { returnsObject: true },
      validate: quotaErrors,
      warningsOnCreate: quotaWarnings,
      validateUpdate: (next, old) => [
        ...quotaErrors(next),
        ...scopeChangeErrors(asQuota(next).spec?.scopes, asQuota(old).spec?.scopes),
      ],
    },
    subresources: [statusSubresource(statusErrors)],
    columns: [
      nameColumn,
      cellColumn('Request', 'Requested resources and their limits.', (object) =>
        quantitiesString(object, (name) => !name.startsWith('limits.')),
      ),
      cellColumn('Limit', 'Total limits of containers and the maximum.', (object) =>
        quantitiesString(object, (name) => name.startsWith('limits.')),
      ),
      ageColumn,
    ],
  })
}

function asQuota(object: ApiObject): Quota {
  // Guaranteed by the schema.
  return object as Quota
}

function quotaErrors(object: ApiObject): FieldError[] {
  const spec = asQuota(object).spec ?? {}
  return [
    ...hardErrors('spec.hard', spec.hard ?? {}),
    ...scopeErrors('spec.scopes', spec),
    ...scopeSelectorErrors('spec.scopeSelector.matchExpressions', spec),
  ]
}

/** Errors for changed scopes, an immutable set. */
function scopeChangeErrors(
  next: readonly string[] | null = null,
  old: readonly string[] | null = null,
): FieldError[] {
  const inOrder = (scopes: readonly string[] | null) => [...new Set(scopes)].sort()
  if (isSame(inOrder(next), inOrder(old))) return []
  return [invalidField('spec.scopes', next, 'field is immutable')]
}

function statusErrors(object: ApiObject): FieldError[] {
  const { hard = {}, used = {} } = asQuota(object).status ?? {}
  return [...hardErrors('status.hard', hard), ...hardErrors('status.used', used)]
}

/** Warnings about a quota. Source: seen on kube-apiserver 1.37.2. */
function quotaWarnings(object: ApiObject): string[] {
  const { hard = {} } = asQuota(object).spec ?? {}
  return ['cpu', 'memory', 'storage', 'ephemeral-storage'].flatMap((name) => {
    const isShort = name === 'cpu' || name === 'memory'
    const names = [`requests.${name}`, ...(isShort ? [name] : [])]
    const asked = names.find((one) => hard[one] !== undefined) ?? ''
    const [request, limit] = [hard[asked], hard[`limits.${name}`]]
    if (request === undefined || limit === undefined) return []
    if (compareQuantityStrings(request, limit) <= 0) return []
    return [`ResourceQuota ${asked} (${request}) should be less than limits.${name} (${limit})`]
  })
}

function hardErrors(path: string, quantities: Readonly<Record<string, string>>): FieldError[] {
  return Object.entries(quantities).flatMap(([name, quantity]) => [
    ...quotaNameErrors(`${path}[${name}]`, name),
    ...resourceQuantityErrors(`${path}[${name}]`, name, quantity),
  ])
}

function quantitiesString(object: ApiObject, isShown: (name: string) => boolean): string {
  const { hard = {}, used = {} } = asQuota(object).status ?? {}
  return Object.keys(hard)
    .sort()
    .filter(isShown)
    .map((name) => `${name}: ${used[name] ?? '0'}/${hard[name] ?? '0'}`)
    .join(', ')
}
