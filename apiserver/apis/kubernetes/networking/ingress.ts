import type { ApiObject } from '../../../meta/types.ts'
import type { ResourceDefinition } from '../../../registry/resource.ts'
import { ageColumn, nameColumn } from '../../../registry/table.ts'
import { builtInKind, statusSubresource, type KindContext } from '../builtInKind.ts'
import { balancerAddresses, cellColumn } from '../../columns.ts'
import {
  ingressErrors,
  ingressStatusErrors,
  ingressStatusWarnings,
  newIngressErrors,
  newIngressWarnings,
} from './ingressRules.ts'
import { ingressSpec } from './ingressSpec.ts'

/** Definition of the Ingress kind, which is only stored. Source: Kubernetes API reference, Ingress v1. */
export function ingressResource({ types }: KindContext): ResourceDefinition {
  return builtInKind(types, {
    group: 'networking.k8s.io',
    version: 'v1',
    plural: 'ingresses',
    kind: 'Ingress',
    namespaced: true,
    shortNames: ['ing'],
    description: 'Ingress exposes services outside the cluster by host and path.',
    strategy: {
      generation: 'spec',
      validate: newIngressErrors,
      warningsOnCreate: newIngressWarnings,
      validateUpdate: (object) => ingressErrors(ingressSpec(object)),
    },
    subresources: [
      statusSubresource(ingressStatusErrors, { warningsOnUpdate: ingressStatusWarnings }),
    ],
    columns: [
      nameColumn,
      cellColumn('Class', 'Ingress class.', classText),
      cellColumn('Hosts', 'Hosts in the rules.', hostsText),
      cellColumn('Address', 'Address of the load balancer.', (object) =>
        balancerAddresses(object).join(','),
      ),
      cellColumn('Ports', 'External ports.', (object) =>
        (ingressSpec(object).tls ?? []).length > 0 ? '80, 443' : '80',
      ),
      ageColumn,
    ],
  })
}

function classText(object: ApiObject): string {
  const old = object.metadata.annotations?.['kubernetes.io/ingress.class']
  return ingressSpec(object).ingressClassName ?? old ?? '<none>'
}

const shown = 3

function hostsText(object: ApiObject): string {
  const { rules = [] } = ingressSpec(object)
  const shownHosts: string[] = []
  let hasMore = false
  for (const { host = '' } of rules) {
    if (shownHosts.length === shown) hasMore = true
    else if (host !== '') shownHosts.push(host)
  }
  if (shownHosts.length === 0) return '*'
  const text = shownHosts.join(',')
  // The count includes rules without a host.
  return hasMore ? `${text} + ${rules.length - shown} more...` : text
}
