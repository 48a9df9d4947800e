import type { ApiObject } from '../../meta/types.ts'
import { builtInPatchTypes, type ResourceDefinition } from '../../registry/resource.ts'
import type { Strategy } from '../../registry/strategy.ts'
import { ageColumn, nameColumn } from '../../registry/table.ts'
import { textColumn } from '../columns.ts'
import { definitionName, listOf, struct } from '../schema.ts'
import { serviceFields } from './serviceFields.ts'
import { addressErrors, serviceErrors } from './serviceRules.ts'
import { keepAddress, setDefaults, specOf } from './serviceSpec.ts'

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
      spec: struct(serviceFields(), 'How the service is reached.'),
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
          ),
          conditions: listOf(
            { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
            'Conditions.',
          ),
        },
        'What the service is.',
      ),
    },
    'Service names a set of endpoints.',
    { definition: definitionName('', 'v1', 'Service') },
  ),
  strategy: {
    nameRule: 'dns1035',
    generation: 'none',
    allowUnconditionalUpdate: true,
    prepareForCreate: (object) => {
      setDefaults(object)
      object['status'] = { loadBalancer: {} }
    },
    prepareForUpdate: (next, old) => {
      keepAddress(specOf(next), specOf(old))
      setDefaults(next)
    },
    validate: serviceErrors,
    validateUpdate: (next, old) => [
      ...addressErrors(specOf(next), specOf(old)),
      ...serviceErrors(next),
    ],
  },
  subresources: [{ name: 'status', verbs: ['get', 'update', 'patch'], strategy: statusStrategy() }],
  selectableFields: {
    'spec.clusterIP': (object) => specOf(object).clusterIP ?? '',
    'spec.type': (object) => specOf(object).type ?? '',
  },
  columns: [
    nameColumn,
    textColumn('Type', 'spec.type', 'How the service is exposed.'),
    textColumn('Cluster-IP', 'spec.clusterIP', 'Address inside the cluster.'),
    {
      name: 'External-IP',
      type: 'string',
      description: 'Address outside.',
      cell: (object) => specOf(object).externalName ?? '<none>',
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
