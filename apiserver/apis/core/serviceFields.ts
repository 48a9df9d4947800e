import type { Schema } from '../../meta/schema.ts'
import { definitionName, flag, listOf, mapOf, struct, text, textList } from '../schema.ts'

function int32(description: string): Schema {
  return { type: 'integer', format: 'int32', description, omitEmpty: true }
}

const port = struct(
  {
    name: text('Name of the port; needed where there are several.'),
    protocol: text('TCP, UDP or SCTP.'),
    appProtocol: { type: 'string', description: 'Application protocol.' },
    port: { type: 'integer', format: 'int32', description: 'Port of the service.' },
    targetPort: {
      'x-kubernetes-int-or-string': true,
      definition: 'io.k8s.apimachinery.pkg.util.intstr.IntOrString',
      description: 'Number or name of the port behind it.',
    },
    nodePort: int32('Port on each node.'),
  },
  'One port of a service.',
  { required: ['port'], definition: definitionName('', 'v1', 'ServicePort') },
)
/** The fields of a service's spec. Source: Kubernetes API reference, ServiceSpec v1. */
export function serviceFields(): Record<string, Schema> {
  return {
    ports: {
      ...listOf(port, 'Ports that the service exposes.'),
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['port', 'protocol'],
      'x-kubernetes-patch-strategy': 'merge',
      'x-kubernetes-patch-merge-key': 'port',
    },
    selector: {
      ...mapOf({ type: 'string' }, 'Labels of the pods behind it.'),
      'x-kubernetes-map-type': 'atomic',
    },
    clusterIP: text('Address inside the cluster; None for a headless service.'),
    clusterIPs: {
      ...textList('Addresses inside the cluster.'),
      'x-kubernetes-list-type': 'atomic',
    },
    type: text('ExternalName, ClusterIP, NodePort or LoadBalancer.'),
    externalIPs: { ...textList('Addresses of nodes outside.'), 'x-kubernetes-list-type': 'atomic' },
    sessionAffinity: text('ClientIP or None.'),
    loadBalancerIP: text('Deprecated: wanted address of the load balancer.'),
    loadBalancerSourceRanges: {
      ...textList('Clients that may connect.'),
      'x-kubernetes-list-type': 'atomic',
    },
    externalName: text('Name that the service stands for.'),
    externalTrafficPolicy: text('Cluster or Local.'),
    healthCheckNodePort: int32('Port of the health check.'),
    publishNotReadyAddresses: flag('Addresses that are not ready are published too.'),
    sessionAffinityConfig: {
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
      description: 'Settings of the session affinity.',
    },
    ipFamilies: { ...textList('Families of the addresses.'), 'x-kubernetes-list-type': 'atomic' },
    ipFamilyPolicy: {
      type: 'string',
      description: 'SingleStack, PreferDualStack or RequireDualStack.',
    },
    allocateLoadBalancerNodePorts: {
      type: 'boolean',
      description: 'Node ports are made for a load balancer.',
    },
    loadBalancerClass: { type: 'string', description: 'Class of the load balancer.' },
    internalTrafficPolicy: { type: 'string', description: 'Cluster or Local.' },
    trafficDistribution: { type: 'string', description: 'Preferred way of distributing traffic.' },
  }
}
