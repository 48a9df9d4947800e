import type { ApiObject } from '../../meta/types.ts'
import { builtInPatchTypes, type ResourceDefinition } from '../../registry/resource.ts'
import type { Strategy } from '../../registry/strategy.ts'
import { ageColumn, nameColumn } from '../../registry/table.ts'
import { refusedLabel } from '../fieldLabels.ts'
import { textColumn } from '../columns.ts'
import { definitionName, listOf, struct } from '../schema.ts'
import { conditionSchema } from './condition.ts'
import { serviceFields } from './serviceFields.ts'
import { addressErrors, serviceErrors } from './serviceRules.ts'
import { keepAddress, setAddress, setDefaults, specOf } from './serviceSpec.ts'

/** Stored only: no traffic goes anywhere. Source: Kubernetes API reference, Service v1. */
export const serviceResource: ResourceDefinition = {
  group: '',
  version: 'v1',
  plural: 'services',
  singular: 'service',
  kind: 'Service',
  namespaced: true,
  shortNames: ['svc'],
  categories: ['all'],
  verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
  patchTypes: builtInPatchTypes,
  schema: struct(
    {
      spec: struct(serviceFields(), 'How the service is reached.', {
        definition: definitionName('', 'v1', 'ServiceSpec'),
      }),
      status: struct(
        {
          loadBalancer: struct(
            {
              ingress: listOf(
                { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
                'Addresses of the load balancer.',
              ),
            },
            'The load balancer, where there is one.',
            { definition: definitionName('', 'v1', 'LoadBalancerStatus') },
          ),
          conditions: {
            ...listOf(conditionSchema, 'Conditions that the service is in.'),
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['type'],
            'x-kubernetes-patch-strategy': 'merge',
            'x-kubernetes-patch-merge-key': 'type',
          },
        },
        'What the service is.',
        { definition: definitionName('', 'v1', 'ServiceStatus') },
      ),
    },
    'Service names a set of endpoints.',
    { definition: definitionName('', 'v1', 'Service') },
  ),
  strategy: {
    nameRule: 'dns1035',
    generation: 'none',
    returnsDeletedObject: true,
    allowUnconditionalUpdate: true,
    setDefaults,
    prepareForCreate: (object) => {
      setDefaults(object)
      setAddress(object)
      object['status'] = { loadBalancer: {} }
    },
    prepareForUpdate: (next, old) => {
      keepAddress(specOf(next), specOf(old))
      setDefaults(next)
      setAddress(next)
    },
    validate: serviceErrors,
    validateUpdate: (next, old) => [
      ...addressErrors(specOf(next), specOf(old)),
      ...serviceErrors(next),
    ],
  },
  subresources: [{ name: 'status', verbs: ['get', 'update', 'patch'], strategy: statusStrategy() }],
  refusedField: refusedLabel,
  selectableFields: {
    'spec.clusterIP': (object) => specOf(object).clusterIP ?? '',
    'spec.type': (object) => specOf(object).type ?? '',
  },
  columns: [
    nameColumn,
    textColumn('Type', 'spec.type', 'How the service is exposed.'),
    {
      name: 'Cluster-IP',
      type: 'string',
      description: 'Address inside the cluster.',
      cell: (object) => specOf(object).clusterIP ?? '<none>',
    },
    {
      name: 'External-IP',
      type: 'string',
      description: 'Address outside.',
      cell: externalAddress,
    },
    {
      name: 'Port(s)',
      type: 'string',
      description: 'Ports with their protocols.',
      cell: portsText,
    },
    ageColumn,
  ],
}

function externalAddress(object: ApiObject): string {
  const { type, externalName } = specOf(object)
  return externalName ?? (type === 'LoadBalancer' ? '<pending>' : '<none>')
}

function statusStrategy(): Strategy {
  return {
    prepareForUpdate: (next, old) => {
      next['spec'] = structuredClone(old['spec'])
    },
  }
}

function portsText(object: ApiObject): string {
  const texts = (specOf(object).ports ?? []).map(({ port, nodePort, protocol = 'TCP' }) =>
    nodePort === undefined ? `${port}/${protocol}` : `${port}:${nodePort}/${protocol}`,
  )
  return texts.length === 0 ? '<none>' : texts.join(',')
}
