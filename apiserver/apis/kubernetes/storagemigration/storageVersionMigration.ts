import { invalidField, requiredField, type FieldError } from '../../../meta/fieldErrors.ts'
import { dns1035Errors, subdomainErrors } from '../../../meta/names/nameValidation.ts'
import type { ApiObject } from '../../../meta/types.ts'
import type { ResourceDefinition } from '../../../registry/resource.ts'
import { nameColumn } from '../../../registry/table.ts'
import { cellColumn } from '../../columns.ts'
import { errorIf, unchanged } from '../../fieldChecks.ts'
import { bareStatusSubresource, builtInKind, type KindContext } from '../builtInKind.ts'
import { metaConditionErrors } from '../metaConditions.ts'
import type { Condition } from '../shapes/metaV1.ts'

interface Migration extends ApiObject {
  spec?: { resource?: { group?: string; resource?: string } }
  status?: { conditions?: Condition[]; resourceVersion?: string }
}

const states = ['Running', 'Failed', 'Succeeded']

/**
 * Kind that requests a controller of the cluster to rewrite all objects of a kind. Source:
 * Kubernetes API reference, StorageVersionMigration v1; seen on kube-apiserver 1.37.2.
 */
export function storageVersionMigrationResource({ types }: KindContext): ResourceDefinition {
  return builtInKind(types, {
    group: 'storagemigration.k8s.io',
    version: 'v1',
    plural: 'storageversionmigrations',
    kind: 'StorageVersionMigration',
    namespaced: false,
    description: 'StorageVersionMigration requests that all objects of a kind are stored again.',
    strategy: {
      generation: 'none',
      allowUnconditionalUpdate: false,
      validate: specErrors,
      validateUpdate: (next, old) => [
        ...specErrors(next),
        ...unchanged('spec', next['spec'], old['spec']),
      ],
    },
    subresources: [bareStatusSubresource(statusErrors)],
    columns: [
      { ...nameColumn, format: '' },
      cellColumn('Resource', 'GroupResource to migrate', resourceText),
      cellColumn('Status', 'Status of the migration', stateText),
    ],
  })
}

function specErrors({ spec }: Migration): FieldError[] {
  const { group = '', resource = '' } = spec?.resource ?? {}
  const path = 'spec.resource'
  const told = (field: string, value: string, problems: readonly string[]) =>
    errorIf(problems.length > 0, () => invalidField(`${path}.${field}`, value, problems.join(',')))
  return [
    ...(resource === ''
      ? [requiredField(`${path}.resource`, 'resource is required to be set')]
      : told('resource', resource, dns1035Errors(resource))),
    ...(group === '' ? [] : told('group', group, subdomainErrors(group))),
  ]
}

/** Errors for a status: a finished migration stays finished. */
function statusErrors(next: Migration, old: Migration): FieldError[] {
  const { conditions = [], resourceVersion = '' } = next.status ?? {}
  const path = 'status.conditions'
  const end = (type: string, word: string) =>
    errorIf(isTrue(old, type) && !isTrue(next, type), () =>
      invalidField(path, conditions, `${word} condition cannot be set to false once it is true`),
    )
  return [
    ...versionErrors(resourceVersion),
    ...metaConditionErrors(path, conditions),
    ...errorIf(isOtherVersion(next, old), () =>
      invalidField('status.resourceVersion', resourceVersion, 'field is immutable'),
    ),
    ...errorIf(isTrue(next, 'Succeeded') && isTrue(next, 'Failed'), () => {
      const detail = 'Both success and failed conditions cannot be true at the same time'
      return invalidField(path, conditions, detail)
    }),
    ...end('Succeeded', 'Success'),
    ...end('Failed', 'Failed'),
  ]
}

function versionErrors(version: string): FieldError[] {
  if (version === '' || /^[1-9][0-9]*$/.test(version)) return []
  const detail = `resource version is not well formed: ${version}`
  return [invalidField('status.resourceVersion', version, detail)]
}

function isOtherVersion(next: Migration, old: Migration): boolean {
  const { resourceVersion: before = '' } = old.status ?? {}
  return before !== '' && before !== (next.status?.resourceVersion ?? '')
}

function isTrue({ status }: Migration, wanted: string): boolean {
  return (status?.conditions ?? []).some(
    (condition) => condition.type === wanted && condition.status === 'True',
  )
}

function resourceText({ spec }: Migration): string {
  const { group = '', resource = '' } = spec?.resource ?? {}
  return group === '' ? resource : `${resource}.${group}`
}

function stateText({ status }: Migration): string {
  const held = (status?.conditions ?? []).filter(
    (condition) => condition.status === 'True' && states.includes(condition.type ?? ''),
  )
  return held.at(-1)?.type ?? 'Unknown'
}
