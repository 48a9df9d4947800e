import { expect } from 'chai'
import { BuiltInKinds } from '../../../../support/builtInKinds.ts'
import { refusal } from '../../../../support/refusal.ts'

/** Answers of a server of release 1.35. */
interface Case {
  name: string
  spec: Record<string, unknown>
  causes: string[]
}

const cases: Case[] = [
  {
    name: 'a type for the outside on a service of the inside',
    spec: {
      ports: [{ port: 80, nodePort: 30080 }],
      externalTrafficPolicy: 'Local',
      healthCheckNodePort: 1,
      allocateLoadBalancerNodePorts: true,
      loadBalancerClass: 'a',
      loadBalancerSourceRanges: ['x'],
    },
    causes: [
      "spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'",
      "spec.LoadBalancerSourceRanges: Forbidden: may only be used when `type` is 'LoadBalancer'",
      'spec.LoadBalancerSourceRanges[0]: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
      "spec.allocateLoadBalancerNodePorts: Forbidden: may only be used when `type` is 'LoadBalancer'",
      "spec.loadBalancerClass: Forbidden: may only be used when `type` is 'LoadBalancer'",
      'spec.externalTrafficPolicy: Invalid value: "Local": may only be set for externally-accessible services',
      "spec.healthCheckNodePort: Invalid value: 1: may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'",
    ],
  },
  {
    name: 'another name without one',
    spec: { type: 'ExternalName', clusterIPs: ['10.96.0.1'], ipFamilyPolicy: 'SingleStack' },
    causes: [
      'spec.clusterIPs: Forbidden: may not be set for ExternalName services',
      'spec.ipFamilyPolicy: Forbidden: may not be set for ExternalName services',
      'spec.externalName: Required value',
    ],
  },
  {
    name: 'ports',
    spec: {
      ports: [
        { port: 1, name: 'A', targetPort: 'Bad--', appProtocol: '/a' },
        { port: 1, protocol: 'x' },
        { port: 1 },
      ],
    },
    causes: [
      "spec.ports[0].name: Invalid value: \"A\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
      'spec.ports[0].targetPort: Invalid value: "Bad--": must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)',
      'spec.ports[0].targetPort: Invalid value: "Bad--": must not contain consecutive hyphens',
      'spec.ports[0].targetPort: Invalid value: "Bad--": must not begin or end with a hyphen',
      'spec.ports[0].appProtocol: Invalid value: "/a": prefix part must be non-empty',
      'spec.ports[1].name: Required value',
      'spec.ports[1].protocol: Unsupported value: "x": supported values: "SCTP", "TCP", "UDP"',
      'spec.ports[2].name: Required value',
      'spec.ports[2]: Duplicate value: {"Name":"","Protocol":"TCP","AppProtocol":null,"Port":1,"TargetPort":0,"NodePort":0}',
    ],
  },
  {
    name: 'addresses',
    spec: { ports: [{ port: 1 }], externalIPs: ['127.0.0.1', 'y'] },
    causes: [
      'spec.externalIPs[0]: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
      'spec.externalIPs[1]: Invalid value: "y": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
    ],
  },
  {
    name: 'affinity',
    spec: {
      ports: [{ port: 1 }],
      sessionAffinity: 'ClientIP',
      sessionAffinityConfig: { clientIP: { timeoutSeconds: 0 } },
      trafficDistribution: 'x',
      internalTrafficPolicy: 'y',
    },
    causes: [
      'spec.sessionAffinityConfig.clientIP.timeoutSeconds: Invalid value: 0: must be greater than 0 and less than 86400',
      'spec.internalTrafficPolicy: Unsupported value: "y": supported values: "Cluster", "Local"',
      'spec.trafficDistribution: Unsupported value: "x": supported values: "PreferClose", "PreferSameZone", "PreferSameNode"',
    ],
  },
  {
    name: 'a headless one for the outside',
    spec: { type: 'NodePort', clusterIP: 'None', ports: [{ port: 1 }] },
    causes: [
      'spec.clusterIPs[0]: Invalid value: "None": may not be set to \'None\' for NodePort services',
    ],
  },
]

describe('rules of services', () => {
  let kinds: BuiltInKinds

  beforeEach(async () => {
    kinds = await BuiltInKinds.open()
  })

  afterEach(() => kinds.close())

  for (const { name, spec, causes } of cases) {
    it(`refuses ${name}`, async () => {
      const { details } = await refusal(kinds.create('Service', { spec }))
      const told = details?.causes?.map(({ field, message }) => `${field ?? ''}: ${message ?? ''}`)
      expect(told).to.deep.equal(causes)
    })
  }
})
