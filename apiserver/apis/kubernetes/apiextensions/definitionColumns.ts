import type { ApiObject } from '../../../meta/types.ts'
import type { Column } from '../../../registry/resource.ts'
import { nameColumn } from '../../../registry/table.ts'
import { cellColumn, textColumn, valueAt, wide } from '../../columns.ts'

/** Columns of definition tables. Source: tables of kube-apiserver 1.37.2. */
export const definitionColumns: readonly Column[] = [
  nameColumn,
  textColumn('Scope', 'spec.scope', 'Cluster/Namespaced'),
  cellColumn('Versions', 'Served versions', servedVersions),
  {
    name: 'Created At',
    type: 'date',
    description: 'Creation time of the object, in RFC 3339 format and UTC.',
    cell: ({ metadata }) => metadata.creationTimestamp ?? null,
  },
  wide(textColumn('Group', 'spec.group', 'API group')),
  wide(textColumn('Kind', 'spec.names.kind', 'CustomResource kind')),
  wide(cellColumn('ShortNames', 'Short names', shortNames)),
  {
    name: 'Established',
    type: 'boolean',
    description: 'Established status',
    priority: 1,
    cell: isEstablished,
  },
]

/** Names of the versions; the stored one is marked. */
function servedVersions(object: ApiObject): string {
  // Guaranteed by the schema.
  const versions = (valueAt(object, 'spec.versions') ?? []) as Version[]
  const served = versions.filter((version) => version.served === true)
  const labels = served.map(
    ({ name = '', storage }) => `${name}${storage === true ? '(storage)' : ''}`,
  )
  return labels.sort().join(',')
}

function shortNames(object: ApiObject): string {
  // Guaranteed by the schema.
  return ((valueAt(object, 'spec.names.shortNames') ?? []) as string[]).join(',')
}

function isEstablished(object: ApiObject): boolean {
  // Guaranteed by the schema.
  const conditions = (valueAt(object, 'status.conditions') ?? []) as Condition[]
  return conditions.some(({ type, status }) => type === 'Established' && status === 'True')
}

interface Version {
  name?: string
  served?: boolean
  storage?: boolean
}

interface Condition {
  type?: string
  status?: string
}
