import { notFound } from '../../../meta/statusErrors.ts'
import type { ApiObject } from '../../../meta/types.ts'
import type { ResourceDefinition } from '../../../registry/resource.ts'
import { nameColumn } from '../../../registry/table.ts'
import { cellColumn } from '../../columns.ts'
import { builtInKind, type KindContext } from '../builtInKind.ts'

interface ComponentStatus extends ApiObject {
  conditions?: { type?: string; status?: string; message?: string; error?: string }[]
}

/**
 * Kind that reports the health of the storage, the only component here. A server that responds has
 * working storage. Source: Kubernetes API reference, ComponentStatus v1; seen on kube-apiserver
 * 1.37.2.
 */
export function componentStatusResource({ types }: KindContext): ResourceDefinition {
  return builtInKind(types, {
    group: '',
    version: 'v1',
    plural: 'componentstatuses',
    kind: 'ComponentStatus',
    namespaced: false,
    shortNames: ['cs'],
    description: 'ComponentStatus reports whether a component of the cluster is healthy.',
    deprecationWarning: 'v1 ComponentStatus is deprecated in v1.19+',
    verbs: ['get', 'list'],
    strategy: {},
    answers: {
      list: () => [storage()],
      get: ({ name }) => {
        const found = storage()
        if (name === found.metadata.name) return found
        throw notFound({ group: '', resource: 'componentstatus' }, name)
      },
    },
    columns: [
      nameColumn,
      cellColumn('Status', 'Status of the component conditions', (object) =>
        healthy(object)?.status === 'True' ? 'Healthy' : 'Unhealthy',
      ),
      cellColumn(
        'Message',
        'Message of the component conditions',
        (object) => healthy(object)?.message ?? '',
      ),
      cellColumn(
        'Error',
        'Error of the component conditions',
        (object) => healthy(object)?.error ?? '',
      ),
    ],
  })
}

function storage(): ComponentStatus {
  return {
    kind: 'ComponentStatus',
    apiVersion: 'v1',
    metadata: { name: 'etcd-0' },
    conditions: [{ type: 'Healthy', status: 'True', message: 'ok' }],
  }
}

function healthy({ conditions = [] }: ComponentStatus) {
  return conditions.find(({ type }) => type === 'Healthy')
}
