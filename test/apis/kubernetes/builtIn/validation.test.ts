import { expect } from 'chai'
import { BuiltInKinds, onePod, oneTemplate, selector } from '../../../support/builtInKinds.ts'
import { refusal } from '../../../support/refusal.ts'

/** Expected errors, as `field: message`. */
interface Case {
  kind: string
  sent: Record<string, unknown>
  causes: string[]
}

const workload = { selector, template: oneTemplate }
const restart = (restartPolicy: string) => ({ spec: { ...onePod, restartPolicy } })

const cases: Case[] = [
  {
    kind: 'Pod',
    sent: { spec: {} },
    causes: ['spec.containers: Required value'],
  },
  {
    kind: 'Pod',
    sent: { spec: { containers: [{ name: 'A' }, { image: 'i' }] } },
    causes: [
      "spec.containers[0].name: Invalid value: \"A\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
      'spec.containers[0].image: Required value',
      'spec.containers[1].name: Required value',
    ],
  },
  {
    kind: 'Pod',
    sent: {
      spec: {
        containers: [
          { name: 'c', image: 'i', imagePullPolicy: 'Often', ports: [{ containerPort: 70000 }] },
          { name: 'c', volumeMounts: [{ name: 'v', mountPath: '/p' }] },
        ],
        restartPolicy: 'Sometimes',
      },
    },
    causes: [
      'spec.containers[0].ports[0].containerPort: Invalid value: 70000: must be between 1 and 65535, inclusive',
      'spec.containers[0].imagePullPolicy: Unsupported value: "Often": supported values: "Always", "IfNotPresent", "Never"',
      'spec.containers[1].image: Required value',
      'spec.containers[1].volumeMounts[0].name: Not found: "v"',
      'spec.containers[1].name: Duplicate value: "c"',
      'spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never"',
    ],
  },
  {
    kind: 'Pod',
    sent: {
      spec: {
        containers: [
          {
            name: 'c',
            image: 'i',
            resources: { requests: { memory: '1x' } },
          },
        ],
      },
    },
    causes: [
      `spec.containers[0].resources.requests.memory: Invalid value: "1x": spec.containers[0].resources.requests.memory in body quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'`,
    ],
  },
  {
    kind: 'Pod',
    sent: {
      spec: {
        containers: [
          {
            name: 'c',
            image: 'i',
            resources: { limits: { cpu: '1' }, requests: { cpu: '1001m', memory: '-1' } },
          },
        ],
      },
    },
    causes: [
      'spec.containers[0].resources.requests: Invalid value: "1001m": must be less than or equal to cpu limit of 1',
      'spec.containers[0].resources.requests[memory]: Invalid value: "-1": must be greater than or equal to 0',
    ],
  },
  {
    kind: 'Deployment',
    sent: { spec: { template: oneTemplate } },
    causes: [
      'spec.selector: Required value',
      'spec.template.metadata.labels: Invalid value: {"app":"a"}: `selector` does not match template `labels`',
    ],
  },
  {
    kind: 'Deployment',
    sent: {
      spec: {
        replicas: -1,
        selector: { matchLabels: { app: 'b' } },
        template: { ...oneTemplate, ...{ spec: { ...onePod, restartPolicy: 'Never' } } },
        strategy: { type: 'Recreate', rollingUpdate: {} },
        minReadySeconds: 700,
      },
    },
    causes: [
      'spec.replicas: Invalid value: -1: must be greater than or equal to 0',
      'spec.template.metadata.labels: Invalid value: {"app":"a"}: `selector` does not match template `labels`',
      'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
      "spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'",
      'spec.progressDeadlineSeconds: Invalid value: 600: must be greater than minReadySeconds',
    ],
  },
  {
    kind: 'StatefulSet',
    sent: { spec: { ...workload, selector: {} } },
    causes: ['spec.selector: Invalid value: {}: empty selector is invalid for statefulset'],
  },
  {
    kind: 'DaemonSet',
    sent: {
      spec: {
        ...workload,
        selector: { matchLabels: { app: 'a' }, matchExpressions: [{ key: 'k', operator: 'In' }] },
      },
    },
    causes: [
      "spec.selector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
    ],
  },
  {
    kind: 'Job',
    sent: { spec: { template: { spec: onePod }, completions: -1 } },
    causes: [
      'spec.completions: Invalid value: -1: must be greater than or equal to 0',
      'spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
    ],
  },
  {
    kind: 'CronJob',
    sent: {
      spec: { schedule: '* *', jobTemplate: { spec: { template: restart('Never') } } },
    },
    causes: ['spec.schedule: Invalid value: "* *": expected exactly 5 fields, found 2: [* *]'],
  },
  {
    kind: 'CronJob',
    sent: {
      spec: { schedule: '61 * * * *', jobTemplate: { spec: { template: restart('Never') } } },
    },
    causes: [
      'spec.schedule: Invalid value: "61 * * * *": end of range (61) above maximum (59): 61',
    ],
  },
  {
    kind: 'Ingress',
    sent: { spec: {} },
    causes: ['spec: Invalid value: null: either `defaultBackend` or `rules` must be specified'],
  },
  {
    kind: 'PersistentVolumeClaim',
    sent: { spec: {} },
    causes: [
      'spec.accessModes: Required value: at least 1 access mode is required',
      'spec.resources[storage]: Required value',
    ],
  },
  {
    kind: 'PersistentVolume',
    sent: { spec: { capacity: { storage: '1' }, accessModes: ['Read'] } },
    causes: [
      'spec.accessModes: Unsupported value: "Read": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"',
      'spec: Required value: must specify a volume type',
    ],
  },
  {
    kind: 'PodDisruptionBudget',
    sent: { spec: { minAvailable: 1, maxUnavailable: '50' } },
    causes: [
      'spec: Invalid value: {"MinAvailable":1,"Selector":null,"MaxUnavailable":"50","UnhealthyPodEvictionPolicy":null}: minAvailable and maxUnavailable cannot be both set',
      `spec.maxUnavailable: Invalid value: "50": a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')`,
    ],
  },
  {
    kind: 'HorizontalPodAutoscaler',
    sent: {
      spec: {
        minReplicas: 4,
        maxReplicas: 3,
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'D', name: 'a' },
      },
    },
    causes: ['spec.maxReplicas: Invalid value: 3: must be greater than or equal to `minReplicas`'],
  },
  {
    kind: 'Lease',
    sent: { spec: { leaseDurationSeconds: 0, leaseTransitions: -1 } },
    causes: [
      'spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0',
      'spec.leaseTransitions: Invalid value: -1: must be greater than or equal to 0',
    ],
  },
  {
    kind: 'EndpointSlice',
    sent: { addressType: 'IPv4', endpoints: [{ addresses: ['::1'] }] },
    causes: [
      'endpoints[0].addresses: Invalid value: "::1": must be an IPv4 address',
      'endpoints[0].addresses[0]: Invalid value: "::1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
    ],
  },
  {
    kind: 'Endpoints',
    sent: { subsets: [{ ports: [{ port: 80 }] }] },
    causes: ['subsets[0]: Required value: must specify `addresses` or `notReadyAddresses`'],
  },
  {
    kind: 'PriorityClass',
    sent: { value: 2000000000 },
    causes: ['value: Forbidden: maximum allowed value of a user defined priority is 1000000000'],
  },
  {
    kind: 'StorageClass',
    sent: { reclaimPolicy: 'Keep', provisioner: 'p' },
    causes: ['reclaimPolicy: Unsupported value: "Keep": supported values: "Delete", "Retain"'],
  },
  {
    kind: 'Event',
    sent: { involvedObject: { namespace: 'other' } },
    causes: ['involvedObject.namespace: Invalid value: "other": does not match event.namespace'],
  },
]

interface Change {
  kind: string
  sent: Record<string, unknown>
  changed: Record<string, unknown>
  causes: string[]
}

const changes: Change[] = [
  {
    kind: 'Deployment',
    sent: { spec: workload },
    changed: {
      spec: {
        selector: { matchLabels: { app: 'b' } },
        template: { ...oneTemplate, metadata: { labels: { app: 'b' } } },
      },
    },
    causes: ['spec.selector: Invalid value: {"matchLabels":{"app":"b"}}: field is immutable'],
  },
  {
    kind: 'Pod',
    sent: { spec: onePod },
    changed: { spec: { ...onePod, nodeName: 'n' } },
    causes: [
      'spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
    ],
  },
  {
    kind: 'StatefulSet',
    sent: { spec: workload },
    changed: { spec: { ...workload, serviceName: 's' } },
    causes: ['spec.serviceName: Invalid value: "s": field is immutable'],
  },
  {
    kind: 'PriorityClass',
    sent: { value: 1 },
    changed: { value: 2 },
    causes: ['value: Forbidden: may not be changed in an update.'],
  },
  {
    kind: 'StorageClass',
    sent: { provisioner: 'p' },
    changed: { provisioner: 'q' },
    causes: ['provisioner: Invalid value: null: field is immutable'],
  },
]

describe('validation of built-in kinds', () => {
  let kinds: BuiltInKinds

  beforeEach(async () => {
    kinds = await BuiltInKinds.open()
  })

  afterEach(() => kinds.close())

  const causesOf = async (call: Promise<unknown>) => {
    const { details } = await refusal(call)
    return details?.causes?.map(({ field, message }) => `${field ?? ''}: ${message ?? ''}`)
  }

  for (const { kind, sent, causes } of cases) {
    it(`refuses a ${kind}: ${causes.join('; ').slice(0, 80)}`, async () => {
      expect(await causesOf(kinds.create(kind, sent))).to.deep.equal(causes)
    })
  }

  for (const { kind, sent, changed, causes } of changes) {
    it(`refuses a changed ${kind}: ${causes.join('; ').slice(0, 80)}`, async () => {
      const { metadata } = await kinds.create(kind, sent)
      const transform = () => kinds.object(kind, { ...changed, metadata })
      const request = kinds.request(kind)
      const update = kinds.store(kind).update(request, { transform }, request)
      expect(await causesOf(update)).to.deep.equal(causes)
    })
  }
})
