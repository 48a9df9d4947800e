import type { ResourceDefinition } from '../../registry/resource.ts'
import { ageColumn, nameColumn } from '../../registry/table.ts'
import { tokenSubresource } from '../authentication/tokenRequest.ts'
import { builtInKind, type KindContext } from '../builtInKind.ts'

/** Source: Kubernetes API reference, ServiceAccount v1. */
export function serviceAccountResource(context: KindContext): ResourceDefinition {
  return builtInKind(context.types, {
    group: '',
    version: 'v1',
    plural: 'serviceaccounts',
    kind: 'ServiceAccount',
    namespaced: true,
    shortNames: ['sa'],
    description: 'ServiceAccount is an identity for processes.',
    strategy: { generation: 'none', returnsDeletedObject: true },
    subresources: [tokenSubresource(context)],
    columns: [nameColumn, ageColumn],
  })
}
