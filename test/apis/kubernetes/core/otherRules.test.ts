import { expect } from 'chai'
import { BuiltInKinds } from '../../../support/builtInKinds.ts'
import { refusal } from '../../../support/refusal.ts'

/** Answers of a server of release 1.35. */
interface Case {
  name: string
  sent: Record<string, unknown>
  causes: string[]
}

const cases: Case[] = [
  {
    name: 'LimitRange',
    sent: {
      spec: {
        limits: [
          { type: 'Pod', default: { cpu: '1' } },
          {
            type: 'Container',
            min: { cpu: '3' },
            max: { cpu: '2' },
            defaultRequest: { cpu: '4' },
            maxLimitRequestRatio: { cpu: '0' },
          },
          { type: 'x' },
          { type: 'PersistentVolumeClaim' },
        ],
      },
    },
    causes: [
      "spec.limits[0].default: Forbidden: may not be specified when `type` is 'Pod'",
      'spec.limits[1].min[cpu]: Invalid value: "3": min value 3 is greater than max value 2',
      'spec.limits[1].defaultRequest[cpu]: Invalid value: "4": default request value 4 is greater than max value 2',
      'spec.limits[1].defaultRequest[cpu]: Invalid value: "4": default request value 4 is greater than default limit value 2',
      'spec.limits[1].default[cpu]: Invalid value: "3": min value 3 is greater than default value 2',
      'spec.limits[1].maxLimitRequestRatio[cpu]: Invalid value: "0": ratio 0 is less than 1',
      'spec.limits[2].type: Invalid value: "x": must be a standard limit type or fully qualified',
      'spec.limits[3].limits: Required value: either minimum or maximum storage value is required, but neither was provided',
    ],
  },
  {
    name: 'ResourceQuota',
    sent: {
      spec: {
        hard: { pods: '1500m' },
        scopes: ['x'],
        scopeSelector: { matchExpressions: [{ scopeName: 'Terminating', operator: 'In' }] },
      },
    },
    causes: [
      'spec.hard[pods]: Invalid value: "1500m": must be an integer',
      'spec.scopes: Invalid value: ["x"]: unsupported scope',
      'spec.scopeSelector.matchExpressions.operator: Invalid value: "In": must be \'Exists\' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity',
      "spec.scopeSelector.matchExpressions.values: Required value: must be at least one value when `operator` is 'In' or 'NotIn' for scope selector",
    ],
  },
  {
    name: 'Node',
    sent: { spec: { podCIDR: 'x', taints: [{ key: 'a', effect: 'x' }, { key: 'b c' }] } },
    causes: [
      'metadata.taints[0].effect: Unsupported value: "x": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
      "metadata.taints[1].key: Invalid value: \"b c\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      'metadata.taints[1].effect: Required value',
      'spec.podCIDRs[0]: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
    ],
  },
  {
    name: 'PersistentVolume',
    sent: {
      spec: {
        capacity: { cpu: '0' },
        accessModes: ['ReadWriteOncePod', 'ReadWriteOnce'],
        nfs: {},
        local: { path: '../x' },
        volumeAttributesClassName: '',
      },
    },
    causes: [
      'spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes',
      'spec.capacity: Unsupported value: {"cpu":"0"}: supported values: "storage"',
      'spec.capacity[cpu]: Invalid value: "0": must be greater than zero',
      'spec.nfs.server: Required value',
      'spec.nfs.path: Required value',
      'spec.nfs.path: Invalid value: "": must be an absolute path',
      'spec.local: Forbidden: may not specify more than 1 volume type',
      'spec.volumeAttributesClassName: Required value: an empty string is disallowed',
      'spec.csi: Required value: has to be specified when using volumeAttributesClassName',
    ],
  },
  {
    name: 'PersistentVolumeClaim',
    sent: {
      spec: {
        accessModes: ['x'],
        resources: { requests: { storage: '0' } },
        dataSourceRef: { kind: 'x' },
        selector: { matchExpressions: [{ key: 'a', operator: 'In', values: ['b c'] }] },
      },
    },
    causes: [
      "spec.selector.matchExpressions[0].values[0]: Invalid value: \"b c\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
      'spec.accessModes: Unsupported value: "x": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"',
      'spec.resources[storage]: Invalid value: "0": must be greater than zero',
      'spec.dataSource.name: Required value',
      'spec.dataSource: Invalid value: "x": must be \'PersistentVolumeClaim\' when referencing the default apiGroup',
      'spec.dataSourceRef.name: Required value',
      'spec.dataSourceRef: Invalid value: "x": must be \'PersistentVolumeClaim\' when referencing the default apiGroup',
    ],
  },
  {
    name: 'Endpoints',
    sent: {
      subsets: [
        { addresses: [{ ip: '127.0.0.1' }, { ip: 'x', nodeName: 'A' }], ports: [{ name: 'A' }] },
      ],
    },
    causes: [
      'subsets[0].addresses[0].ip: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
      'subsets[0].addresses[1].ip: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
      "subsets[0].addresses[1].nodeName: Invalid value: \"A\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      'subsets[0].addresses[1].ip: Invalid value: "x": must be a valid IP address',
      "subsets[0].ports[0].name: Invalid value: \"A\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
      'subsets[0].ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive',
    ],
  },
  {
    name: 'ReplicationController',
    sent: {
      metadata: { name: 'A' },
      spec: {
        replicas: -1,
        selector: { a: 'b' },
        template: {
          metadata: { labels: { a: 'b' } },
          spec: { containers: [{ name: 'c', image: 'i' }], restartPolicy: 'Never' },
        },
      },
    },
    causes: [
      "metadata.name: Invalid value: \"A\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      'spec.replicas: Invalid value: -1: must be greater than or equal to 0',
      'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
    ],
  },
]

describe('rules of the kinds of the core group', () => {
  let kinds: BuiltInKinds

  beforeEach(async () => {
    kinds = await BuiltInKinds.open()
  })

  afterEach(() => kinds.close())

  for (const { name, sent, causes } of cases) {
    it(`refuses a wrong ${name}`, async () => {
      const { details } = await refusal(kinds.create(name, sent))
      const told = details?.causes?.map(({ field, message }) => `${field ?? ''}: ${message ?? ''}`)
      expect(told).to.deep.equal(causes)
    })
  }
})
