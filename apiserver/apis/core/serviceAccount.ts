import type { ResourceDefinition } from '../../registry/resource.ts'
import { ageColumn, nameColumn } from '../../registry/table.ts'
import { builtInKind, type KindContext } from '../builtInKind.ts'

/** Source: Kubernetes API reference, ServiceAccount v1. */
export function serviceAccountResource({ types }: KindContext): ResourceDefinition {
  return builtInKind(types, {
    group: '',
    version: 'v1',
    plural: 'serviceaccounts',
    kind: 'ServiceAccount',
    namespaced: true,
    shortNames: ['sa'],
    description: 'ServiceAccount is an identity for processes.',
    strategy: { generation: 'none' },
    columns: [nameColumn, ageColumn],
  })
}
