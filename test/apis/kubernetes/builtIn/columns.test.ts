import { expect } from 'chai'
import { tableRow } from '../../../../apiserver/registry/table.ts'
import { BuiltInKinds, onePod, oneTemplate, selector } from '../../../support/builtInKinds.ts'

interface Case {
  kind: string
  object: Record<string, unknown>
  /** Cells; those of `-o wide` follow a bar. */
  cells: unknown[]
}

const workload = { spec: { selector, template: oneTemplate } }
const ago = (seconds: number) => new Date(Date.UTC(2030, 0, 1) - seconds * 1000).toISOString()

const balanced = { ingress: [{ hostname: 'b.c' }, { ip: '10.0.0.9' }, { hostname: 'b.c' }] }
const measured = (type: string, target: object, current?: object) => {
  const source = type.charAt(0).toLowerCase() + type.slice(1)
  const what = {
    ...{ metric: { name: 'm' }, name: 'cpu', container: 'c' },
    describedObject: { kind: 'Service', name: 's', apiVersion: 'v1' },
  }
  return {
    wanted: { type, [source]: { ...what, target } },
    current: { type, ...(current === undefined ? {} : { [source]: { ...what, current } }) },
  }
}
const autoscaler = (metrics: ReturnType<typeof measured>[]) => ({
  spec: {
    ...{ scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' } },
    ...{ maxReplicas: 3, metrics: metrics.map(({ wanted }) => wanted) },
  },
  status: { currentMetrics: metrics.map(({ current }) => current) },
})
const utilization = { type: 'Utilization', averageUtilization: 50 }
const average = { type: 'AverageValue', averageValue: '10' }
const plain = { type: 'Value', value: '5' }
const targets = (cell: string) => ['a', 'Deployment/d', cell, '1', 3, 0, '0s']

const cases: Case[] = [
  {
    kind: 'HorizontalPodAutoscaler',
    object: autoscaler([
      measured('Resource', utilization, { averageValue: '7' }),
      measured('ContainerResource', utilization, { averageUtilization: 3 }),
    ]),
    cells: targets('cpu: <unknown>/50%, cpu: 3%/50%'),
  },
  {
    kind: 'HorizontalPodAutoscaler',
    object: autoscaler([
      measured('Pods', average, { value: '7' }),
      measured('External', average, { value: '7' }),
      measured('Pods', average),
    ]),
    cells: targets('<nil>/10, <unknown>/10 (avg) + 1 more...'),
  },
  {
    kind: 'HorizontalPodAutoscaler',
    object: autoscaler([
      measured('Object', plain, { averageValue: '7' }),
      measured('Resource', average, { averageUtilization: 7 }),
    ]),
    cells: targets('<nil>/5, cpu: <nil>/10'),
  },
  {
    kind: 'Service',
    object: {
      spec: {
        type: 'LoadBalancer',
        clusterIP: '10.96.0.9',
        ports: [{ port: 80, nodePort: 30001 }],
      },
      status: { loadBalancer: balanced },
    },
    cells: [
      ...['a', 'LoadBalancer', '10.96.0.9', '10.0.0.9,b.c', '80:30001/TCP', '0s'],
      ...['|', '<none>'],
    ],
  },
  {
    kind: 'Ingress',
    object: {
      spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } } },
      status: { loadBalancer: balanced },
    },
    cells: ['a', '<none>', '*', '10.0.0.9,b.c', '80', '0s'],
  },
  {
    kind: 'Ingress',
    object: {
      spec: {
        defaultBackend: { service: { name: 's', port: { number: 80 } } },
        rules: ['a.b', '', 'b.b', 'c.b', ''].map((host) => (host === '' ? {} : { host })),
      },
    },
    cells: ['a', '<none>', 'a.b,b.b,c.b + 2 more...', '', '80', '0s'],
  },
  {
    kind: 'PersistentVolumeClaim',
    object: {
      metadata: { name: 'a', annotations: { 'volume.beta.kubernetes.io/storage-class': 'old' } },
      spec: {
        ...{ storageClassName: 'new', volumeName: 'v', accessModes: ['ReadWriteOnce'] },
        resources: { requests: { storage: '1Gi' } },
      },
      status: { phase: 'Lost' },
    },
    cells: ['a', 'Lost', 'v', '0', '', 'old', '<unset>', '0s', '|', 'Filesystem'],
  },
  {
    kind: 'StorageClass',
    object: {
      metadata: {
        name: 'a',
        annotations: { 'storageclass.beta.kubernetes.io/is-default-class': 'true' },
      },
      provisioner: 'p',
    },
    cells: ['a (default)', 'p', 'Delete', 'Immediate', false, '0s'],
  },
  {
    kind: 'Pod',
    object: {
      spec: { ...onePod, nodeName: 'n' },
      status: {
        phase: 'Running',
        podIPs: [{ ip: '10.0.0.1' }],
        containerStatuses: [
          {
            name: 'c',
            ready: true,
            state: { running: {} },
            restartCount: 2,
            lastState: { terminated: { exitCode: 1, finishedAt: ago(60) } },
          },
        ],
      },
    },
    cells: ['a', '1/1', 'Running', '2 (60s ago)', '0s', '|', '10.0.0.1', 'n', '<none>', '<none>'],
  },
  {
    kind: 'Pod',
    object: {
      spec: onePod,
      status: {
        phase: 'Pending',
        containerStatuses: [{ name: 'c', state: { waiting: { reason: 'ErrImagePull' } } }],
      },
    },
    cells: ['a', '0/1', 'ErrImagePull', '0', '0s', '|', '<none>', '<none>', '<none>', '<none>'],
  },
  {
    kind: 'Pod',
    object: {
      spec: {
        ...onePod,
        initContainers: [
          { name: 'p', image: 'i', restartPolicy: 'Always' },
          { name: 'q', image: 'i' },
        ],
      },
      status: {
        phase: 'Pending',
        initContainerStatuses: [
          { name: 'p', ready: true, started: true, restartCount: 3, state: { running: {} } },
          { name: 'q', restartCount: 1, state: { running: {} } },
        ],
        containerStatuses: [{ name: 'c', state: { waiting: { reason: 'PodInitializing' } } }],
      },
    },
    cells: ['a', '1/2', 'Init:1/2', '4', '0s', '|', '<none>', '<none>', '<none>', '<none>'],
  },
  {
    kind: 'Pod',
    object: {
      spec: { containers: [...onePod.containers, { name: 'd', image: 'i' }] },
      status: {
        phase: 'Running',
        containerStatuses: [
          { name: 'c', ready: true, state: { running: {} } },
          { name: 'd', state: { terminated: { exitCode: 0, reason: 'Completed' } } },
        ],
      },
    },
    cells: ['a', '1/2', 'NotReady', '0', '0s', '|', '<none>', '<none>', '<none>', '<none>'],
  },
  {
    kind: 'Pod',
    object: { spec: onePod, status: { phase: 'Failed', reason: 'Evicted' } },
    cells: ['a', '0/1', 'Evicted', '0', '0s', '|', '<none>', '<none>', '<none>', '<none>'],
  },
  {
    kind: 'Deployment',
    object: { ...workload, status: { readyReplicas: 1, updatedReplicas: 1 } },
    cells: ['a', '1/1', 1, 0, '0s', '|', 'c', 'i:1', 'app=a'],
  },
  {
    kind: 'ReplicaSet',
    object: { ...workload, status: { replicas: 1 } },
    cells: ['a', 1, 1, 0, '0s', '|', 'c', 'i:1', 'app=a'],
  },
  { kind: 'StatefulSet', object: workload, cells: ['a', '0/1', '0s', '|', 'c', 'i:1'] },
  {
    kind: 'DaemonSet',
    object: workload,
    cells: ['a', 0, 0, 0, 0, 0, '<none>', '0s', '|', 'c', 'i:1', 'app=a'],
  },
  {
    kind: 'Job',
    object: {
      spec: {
        manualSelector: true,
        selector,
        template: { ...oneTemplate, spec: { ...onePod, restartPolicy: 'Never' } },
      },
      status: {
        succeeded: 1,
        startTime: ago(30),
        completionTime: ago(10),
        conditions: [{ type: 'Complete', status: 'True' }],
      },
    },
    cells: ['a', 'Complete', '1/1', '20s', '0s', '|', 'c', 'i:1', 'app=a'],
  },
  {
    kind: 'Node',
    object: {
      spec: { unschedulable: true },
      metadata: { labels: { 'node-role.kubernetes.io/worker': '' } },
      status: { conditions: [{ type: 'Ready', status: 'True' }], nodeInfo: {} },
    },
    cells: [
      ...['a', 'Ready,SchedulingDisabled', 'worker', '0s', '', '|', '<none>', '<none>'],
      ...['<unknown>', '<unknown>', '<unknown>'],
    ],
  },
  {
    kind: 'Event',
    object: {
      involvedObject: { kind: 'Pod', name: 'p', namespace: 'default' },
      type: 'Warning',
      reason: 'Why',
      message: 'text\n',
      source: { component: 'test' },
      lastTimestamp: ago(10),
      firstTimestamp: ago(300),
      count: 3,
    },
    cells: ['10s', 'Warning', 'Why', 'pod/p', 'text', '|', '', 'test', '5m', 3, 'a'],
  },
  {
    kind: 'PersistentVolumeClaim',
    object: {
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    },
    cells: ['a', 'Pending', '', '', '', '', '<unset>', '0s', '|', 'Filesystem'],
  },
  {
    kind: 'HorizontalPodAutoscaler',
    object: {
      spec: {
        maxReplicas: 3,
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
      },
    },
    cells: ['a', 'Deployment/d', 'cpu: <unknown>/80%', '1', 3, 0, '0s'],
  },
  {
    kind: 'EndpointSlice',
    object: {
      addressType: 'IPv4',
      endpoints: [{ addresses: ['10.0.0.1'] }],
      ports: [{ port: 80 }, { name: 'b', port: 81 }],
    },
    cells: ['a', 'IPv4', '80,81', '10.0.0.1', '0s'],
  },
  {
    kind: 'EndpointSlice',
    object: {
      addressType: 'IPv4',
      endpoints: [{ addresses: ['10.0.0.1'] }],
      ports: [{ protocol: 'TCP' }],
    },
    cells: ['a', 'IPv4', '<unset>', '10.0.0.1', '0s'],
  },
  {
    kind: 'Endpoints',
    object: { subsets: [{ notReadyAddresses: [{ ip: '10.1.1.1' }], ports: [{ port: 80 }] }] },
    cells: ['a', '', '0s'],
  },
  {
    kind: 'Endpoints',
    object: {},
    cells: ['a', '<none>', '0s'],
  },
  {
    kind: 'IngressClass',
    object: {
      metadata: { annotations: { 'ingressclass.kubernetes.io/is-default-class': 'true' } },
      spec: { controller: 'a.b/c' },
    },
    cells: ['a (default)', 'a.b/c', '<none>', '0s'],
  },
  {
    kind: 'Lease',
    object: { spec: { holderIdentity: 'me' } },
    cells: ['a', 'me', '0s'],
  },
]

describe('columns of built-in kinds', () => {
  let kinds: BuiltInKinds

  beforeEach(async () => {
    kinds = await BuiltInKinds.open()
  })

  afterEach(() => kinds.close())

  for (const { kind, object, cells } of cases) {
    it(`of a ${kind}: ${cells.slice(0, 4).join(' ')}`, async () => {
      const made = await kinds.create(kind, object)
      const shown = kinds.cells({ ...made, ...('status' in object ? pick(object) : {}) })
      expect(shown).to.deep.equal(cells)
    })
  }

  const ended = [
    {
      phase: 'Succeeded',
      conditions: [
        {
          type: 'Completed',
          status: 'True',
          reason: 'Succeeded',
          message: 'The pod has completed successfully.',
        },
      ],
    },
    {
      phase: 'Failed',
      conditions: [
        { type: 'Completed', status: 'True', reason: 'Failed', message: 'The pod failed.' },
      ],
    },
    { phase: 'Running', conditions: undefined },
  ]
  for (const { phase, conditions } of ended) {
    it(`the row of a pod that is ${phase} has ${conditions?.length ?? 'no'} condition`, async () => {
      const made = await kinds.create('Pod', { spec: onePod })
      const row = tableRow({ ...made, status: { phase } }, kinds.resource('Pod'), 'None', 0)
      expect(row.conditions).to.deep.equal(conditions)
    })
  }
})

function pick({ status }: Record<string, unknown>): Record<string, unknown> {
  return { status }
}
