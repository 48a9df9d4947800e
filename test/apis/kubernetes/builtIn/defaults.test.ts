import { expect } from 'chai'
import { ProtobufCodec } from '../../../../apiserver/encoding/protobuf/protobufCodec.ts'
import type { ApiObject } from '../../../../apiserver/meta/types.ts'
import { BuiltInKinds, onePod, oneTemplate, selector } from '../../../support/builtInKinds.ts'
import { canonical } from '../../../support/stores.ts'

const podDefaults = {
  containers: [
    {
      name: 'c',
      image: 'i:1',
      resources: {},
      terminationMessagePath: '/dev/termination-log',
      terminationMessagePolicy: 'File',
      imagePullPolicy: 'IfNotPresent',
    },
  ],
  restartPolicy: 'Always',
  terminationGracePeriodSeconds: 30,
  dnsPolicy: 'ClusterFirst',
  securityContext: {},
  schedulerName: 'default-scheduler',
}
const template = { metadata: { labels: { app: 'a' } }, spec: podDefaults }

interface Case {
  kind: string
  sent: Record<string, unknown>
  stored: Record<string, unknown>
}

const cases: Case[] = [
  {
    kind: 'Pod',
    sent: { spec: onePod },
    stored: {
      spec: { ...podDefaults, enableServiceLinks: true },
      status: { phase: 'Pending', qosClass: 'BestEffort' },
    },
  },
  {
    kind: 'Deployment',
    sent: { spec: { selector, template: oneTemplate } },
    stored: {
      spec: {
        replicas: 1,
        selector,
        template,
        strategy: {
          type: 'RollingUpdate',
          rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' },
        },
        revisionHistoryLimit: 10,
        progressDeadlineSeconds: 600,
      },
      status: {},
    },
  },
  {
    kind: 'ReplicaSet',
    sent: { spec: { selector, template: oneTemplate } },
    stored: { spec: { replicas: 1, selector, template }, status: { replicas: 0 } },
  },
  {
    kind: 'StatefulSet',
    sent: {
      spec: {
        selector,
        template: oneTemplate,
        volumeClaimTemplates: [
          {
            metadata: { name: 'v' },
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
          },
        ],
      },
    },
    stored: {
      spec: {
        replicas: 1,
        selector,
        template,
        volumeClaimTemplates: [
          {
            kind: 'PersistentVolumeClaim',
            apiVersion: 'v1',
            metadata: { name: 'v' },
            spec: {
              accessModes: ['ReadWriteOnce'],
              resources: { requests: { storage: '1Gi' } },
              volumeMode: 'Filesystem',
            },
            status: { phase: 'Pending' },
          },
        ],
        serviceName: '',
        podManagementPolicy: 'OrderedReady',
        updateStrategy: {
          type: 'RollingUpdate',
          rollingUpdate: { partition: 0, maxUnavailable: 1 },
        },
        revisionHistoryLimit: 10,
        persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
      },
      status: { replicas: 0, availableReplicas: 0 },
    },
  },
  {
    kind: 'DaemonSet',
    sent: { spec: { selector, template: oneTemplate } },
    stored: {
      spec: {
        selector,
        template,
        updateStrategy: {
          type: 'RollingUpdate',
          rollingUpdate: { maxUnavailable: 1, maxSurge: 0 },
        },
        revisionHistoryLimit: 10,
      },
      status: {
        currentNumberScheduled: 0,
        numberMisscheduled: 0,
        desiredNumberScheduled: 0,
        numberReady: 0,
      },
    },
  },
  {
    kind: 'ReplicationController',
    sent: { spec: { template: oneTemplate } },
    stored: {
      spec: { replicas: 1, selector: { app: 'a' }, template },
      status: { replicas: 0 },
    },
  },
  {
    kind: 'CronJob',
    sent: {
      spec: {
        schedule: '*/5 * * * *',
        jobTemplate: {
          spec: { template: { spec: { ...onePod, restartPolicy: 'OnFailure' } } },
        },
      },
    },
    stored: {
      spec: {
        schedule: '*/5 * * * *',
        concurrencyPolicy: 'Allow',
        suspend: false,
        jobTemplate: {
          metadata: {},
          spec: {
            template: { metadata: {}, spec: { ...podDefaults, restartPolicy: 'OnFailure' } },
          },
        },
        successfulJobsHistoryLimit: 3,
        failedJobsHistoryLimit: 1,
      },
      status: {},
    },
  },
  {
    kind: 'NetworkPolicy',
    sent: { spec: { podSelector: {}, egress: [{ ports: [{ port: 'dns' }] }] } },
    stored: {
      spec: {
        podSelector: {},
        egress: [{ ports: [{ protocol: 'TCP', port: 'dns' }] }],
        policyTypes: ['Ingress', 'Egress'],
      },
    },
  },
  {
    kind: 'PersistentVolumeClaim',
    sent: {
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1024Mi' } } },
    },
    stored: {
      spec: {
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: '1Gi' } },
        volumeMode: 'Filesystem',
      },
      status: { phase: 'Pending' },
    },
  },
  {
    kind: 'PersistentVolume',
    sent: {
      spec: {
        capacity: { storage: 5e9 },
        accessModes: ['ReadWriteOnce'],
        hostPath: { path: '/p' },
      },
    },
    stored: {
      spec: {
        capacity: { storage: '5G' },
        hostPath: { path: '/p', type: '' },
        accessModes: ['ReadWriteOnce'],
        persistentVolumeReclaimPolicy: 'Retain',
        volumeMode: 'Filesystem',
      },
      status: { phase: 'Pending', lastPhaseTransitionTime: '2030-01-01T00:00:00Z' },
    },
  },
  {
    kind: 'LimitRange',
    sent: { spec: { limits: [{ type: 'Container', max: { cpu: 2 }, min: { memory: '1Mi' } }] } },
    stored: {
      spec: {
        limits: [
          {
            type: 'Container',
            max: { cpu: '2' },
            min: { memory: '1Mi' },
            default: { cpu: '2' },
            defaultRequest: { cpu: '2', memory: '1Mi' },
          },
        ],
      },
    },
  },
  {
    kind: 'HorizontalPodAutoscaler',
    sent: {
      spec: {
        maxReplicas: 3,
        scaleTargetRef: { kind: 'Deployment', name: 'a', apiVersion: 'apps/v1' },
      },
    },
    stored: {
      spec: {
        scaleTargetRef: { kind: 'Deployment', name: 'a', apiVersion: 'apps/v1' },
        minReplicas: 1,
        maxReplicas: 3,
        metrics: [
          {
            type: 'Resource',
            resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
          },
        ],
      },
      status: { desiredReplicas: 0, currentMetrics: null },
    },
  },
  {
    kind: 'StorageClass',
    sent: { provisioner: 'example.dev/p' },
    stored: {
      provisioner: 'example.dev/p',
      reclaimPolicy: 'Delete',
      volumeBindingMode: 'Immediate',
    },
  },
  {
    kind: 'PriorityClass',
    sent: { value: 5 },
    stored: { value: 5, preemptionPolicy: 'PreemptLowerPriority' },
  },
  {
    kind: 'EndpointSlice',
    sent: { addressType: 'IPv4', ports: [{ port: 80 }] },
    stored: {
      addressType: 'IPv4',
      endpoints: null,
      ports: [{ name: '', protocol: 'TCP', port: 80 }],
    },
  },
  {
    kind: 'Endpoints',
    sent: { subsets: [{ addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 80 }] }] },
    stored: {
      subsets: [{ addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 80, protocol: 'TCP' }] }],
    },
  },
  {
    kind: 'Event',
    sent: {
      involvedObject: { kind: 'Pod', name: 'p', namespace: 'default' },
      reason: 'Why',
      action: 'Act',
      reportingComponent: 'c',
      reportingInstance: 'i',
      eventTime: '2030-01-01T01:00:00.5+01:00',
      lastTimestamp: '2030-01-01T01:00:00+01:00',
    },
    stored: {
      involvedObject: { kind: 'Pod', namespace: 'default', name: 'p' },
      reason: 'Why',
      source: {},
      firstTimestamp: null,
      lastTimestamp: '2030-01-01T00:00:00Z',
      eventTime: '2030-01-01T00:00:00.500000Z',
      action: 'Act',
      reportingComponent: 'c',
      reportingInstance: 'i',
    },
  },
]

describe('defaults of built-in kinds', () => {
  const codec = new ProtobufCodec()
  let kinds: BuiltInKinds

  beforeEach(async () => {
    kinds = await BuiltInKinds.open()
  })

  afterEach(() => kinds.close())

  for (const { kind, sent, stored } of cases) {
    it(`a ${kind} is stored with what it leaves out`, async () => {
      const {
        kind: _kind,
        apiVersion: _version,
        metadata: _meta,
        ...made
      } = await kinds.create(kind, sent)
      expect(made).to.deep.equal(stored)
    })

    it(`a ${kind} is the same as protobuf`, async () => {
      const made = await kinds.create(kind, sent)
      const resource = kinds.resource(kind)
      const { value } = await codec.decode(await codec.encode(made, resource))
      const decoded = canonical(value as ApiObject, resource)
      resource.strategy.setDefaults?.(decoded)
      expect(canonical(decoded, resource)).to.deep.equal(made)
    })

    it(`a ${kind} that is sent again is no change`, async () => {
      const made = await kinds.create(kind, sent)
      const transform = () => kinds.object(kind, { ...sent, metadata: made.metadata })
      const { bytes } = await kinds
        .store(kind)
        .update(kinds.request(kind), { transform }, kinds.request(kind))
      expect(JSON.parse(bytes.toString())).to.deep.equal(made)
    })
  }

  it('a job selects the pods that carry its UID', async () => {
    const made = await kinds.create('Job', {
      spec: { template: { spec: { ...onePod, restartPolicy: 'Never' } } },
    })
    const { uid } = made.metadata
    const { selector: made_, template: made_template } = made['spec'] as Record<string, unknown>
    expect(made_).to.deep.equal({ matchLabels: { 'batch.kubernetes.io/controller-uid': uid } })
    expect((made_template as { metadata: unknown }).metadata).to.deep.equal({
      labels: {
        'batch.kubernetes.io/controller-uid': uid,
        'batch.kubernetes.io/job-name': 'a',
        'controller-uid': uid,
        'job-name': 'a',
      },
    })
  })

  it('a newest image is always pulled, probes and handlers have their numbers', async () => {
    const made = await kinds.create('Pod', {
      spec: {
        containers: [
          {
            name: 'c',
            image: 'host:5000/i',
            readinessProbe: { httpGet: { port: 'web' } },
            livenessProbe: { grpc: { port: 1 }, periodSeconds: 3 },
            ports: [{ containerPort: 80 }],
            resources: { limits: { cpu: '1', memory: '1Gi' } },
          },
        ],
        volumes: [{ name: 'v' }, { name: 's', secret: { secretName: 'x' } }],
      },
    })
    const spec = made['spec'] as { containers: Record<string, unknown>[]; volumes: unknown }
    expect(spec.containers[0]).to.deep.include({
      imagePullPolicy: 'Always',
      readinessProbe: {
        httpGet: { path: '/', port: 'web', scheme: 'HTTP' },
        timeoutSeconds: 1,
        periodSeconds: 10,
        successThreshold: 1,
        failureThreshold: 3,
      },
      livenessProbe: {
        grpc: { port: 1, service: '' },
        timeoutSeconds: 1,
        periodSeconds: 3,
        successThreshold: 1,
        failureThreshold: 3,
      },
      ports: [{ containerPort: 80, protocol: 'TCP' }],
      resources: {
        limits: { cpu: '1', memory: '1Gi' },
        requests: { cpu: '1', memory: '1Gi' },
      },
    })
    expect(spec.volumes).to.deep.equal([
      { name: 'v', emptyDir: {} },
      { name: 's', secret: { secretName: 'x', defaultMode: 420 } },
    ])
    expect(made['status']).to.deep.equal({ phase: 'Pending', qosClass: 'Guaranteed' })
  })
})
