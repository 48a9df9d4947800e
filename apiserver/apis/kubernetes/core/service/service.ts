import type { ApiObject } from '../../../../meta/types.ts'
import type { ResourceDefinition } from '../../../../registry/resource.ts'
import type { Strategy } from '../../../../registry/strategy.ts'
import { ageColumn, nameColumn } from '../../../../registry/table.ts'
import { builtInKind, statusSubresource, type KindContext } from '../../builtInKind.ts'
import { balancerAddresses, cellColumn, textColumn, wide } from '../../../columns.ts'
import { refusedLabel } from '../../fieldLabels.ts'
import { selectorText } from '../../labelSelection.ts'
import { serviceProxySubresource } from '../proxy/serviceProxy.ts'
import { withAllocation } from './serviceAllocation.ts'
import { clusterIPChangeErrors, familyChangeErrors } from './clusterIPRules.ts'
import { balancerClassErrors, healthPortChangeErrors, serviceErrors } from './serviceRules.ts'
import { serviceStatusErrors, serviceStatusWarnings, setStatusDefaults } from './serviceStatus.ts'
import { serviceWarnings } from './serviceWarnings.ts'
import { isExternal, setDefaults, specOf } from './serviceSpec.ts'

/**
 * Definition of the Service kind, which is only stored: no traffic is routed. Source: Kubernetes API reference, Service
 * v1.
 */
export function serviceResource(context: KindContext): ResourceDefinition {
  const { types, access } = context
  return builtInKind(types, {
    group: '',
    version: 'v1',
    plural: 'services',
    kind: 'Service',
    namespaced: true,
    shortNames: ['svc'],
    categories: ['all'],
    description: 'Service is a stable address for a set of endpoints.',
    strategy: withAllocation(serviceStrategy, access),
    subresources: [
      statusSubresource(serviceStatusErrors, {
        allowCreateOnUpdate: true,
        warningsOnUpdate: serviceStatusWarnings,
      }),
      serviceProxySubresource(context),
    ],
    refusedField: refusedLabel,
    selectableFields: {
      'spec.clusterIP': (object) => specOf(object).clusterIP ?? '',
      'spec.type': (object) => specOf(object).type ?? '',
    },
    columns: [
      nameColumn,
      textColumn('Type', 'spec.type', 'How the service is exposed.'),
      cellColumn('Cluster-IP', 'Address within the cluster.', clusterAddress),
      cellColumn('External-IP', 'Address outside the cluster.', externalAddress),
      cellColumn('Port(s)', 'Ports and protocols.', portsText),
      ageColumn,
      wide(
        cellColumn('Selector', 'Label selector of the pods behind the service.', selectedLabels),
      ),
    ],
  })
}

/**
 * Strategy of services, without the allocation of addresses and node ports, which are unique on a
 * plane.
 */
const serviceStrategy: Strategy = {
  spans: 'services',
  nameRule: 'label',
  metadata: { namesOnCreate: true },
  generation: 'none',
  allowCreateOnUpdate: true,
  deletion: { returnsObject: true },
  setDefaults: (object) => {
    setDefaults(object)
    setStatusDefaults(object)
  },
  canonicalize: (object) => {
    if (isExternal(specOf(object))) delete specOf(object).internalTrafficPolicy
  },
  warningsOnCreate: serviceWarnings,
  warningsOnUpdate: serviceWarnings,
  validate: (object) => serviceErrors(object),
  validateUpdate: (next, old) => [
    ...clusterIPChangeErrors(specOf(next), specOf(old)),
    ...familyChangeErrors(specOf(next), specOf(old)),
    ...balancerClassErrors(specOf(next), specOf(old)),
    ...healthPortChangeErrors(specOf(next), specOf(old)),
    ...serviceErrors(next, old),
  ],
}

function clusterAddress(object: ApiObject): string {
  const { clusterIP = '', clusterIPs: [first = clusterIP] = [] } = specOf(object)
  return first === '' ? '<none>' : first
}

/** External addresses; those of a load balancer come first. */
function externalAddress(object: ApiObject): string {
  const { type, externalName = '', externalIPs = [] } = specOf(object)
  if (type === 'ExternalName') return externalName
  if ((type ?? '') === '') return '<unknown>'
  const balanced = type === 'LoadBalancer' ? balancerAddresses(object) : []
  const all = [...balanced, ...externalIPs]
  if (all.length > 0) return all.join(',')
  return type === 'LoadBalancer' ? '<pending>' : '<none>'
}

function portsText(object: ApiObject): string {
  const texts = (specOf(object).ports ?? []).map(({ port, nodePort = 0, protocol = 'TCP' }) =>
    nodePort === 0 ? `${port}/${protocol}` : `${port}:${nodePort}/${protocol}`,
  )
  return texts.length === 0 ? '<none>' : texts.join(',')
}

function selectedLabels(object: ApiObject): string {
  return selectorText({ matchLabels: specOf(object).selector ?? {} })
}
