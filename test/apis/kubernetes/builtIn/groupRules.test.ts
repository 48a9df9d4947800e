import { expect } from 'chai'
import type { ApiObject } from '../../../../apiserver/meta/types.ts'
import { subresourceStrategy } from '../../../../apiserver/registry/resource.ts'
import { BuiltInKinds, oneTemplate, selector } from '../../../support/builtInKinds.ts'
import { clientContext } from '../../../support/contexts.ts'
import { refusal } from '../../../support/refusal.ts'

type Fields = Record<string, unknown>

describe('rules of the built-in groups', () => {
  let kinds: BuiltInKinds

  beforeEach(async () => {
    kinds = await BuiltInKinds.open()
  })

  afterEach(() => kinds.close())

  const causesOf = async (call: Promise<unknown>) => {
    const { details } = await refusal(call)
    return details?.causes?.map(({ field, message }) => `${field ?? ''}: ${message ?? ''}`)
  }

  const workload = { spec: { selector, template: oneTemplate } }
  const statusCases = [
    {
      kind: 'Deployment',
      sent: workload,
      status: { replicas: 1, readyReplicas: 2, availableReplicas: 3 },
      causes: [
        'status.readyReplicas: Invalid value: 2: cannot be greater than status.replicas',
        'status.availableReplicas: Invalid value: 3: cannot be greater than status.replicas',
        'status.availableReplicas: Invalid value: 3: cannot be greater than readyReplicas',
      ],
    },
    {
      kind: 'StatefulSet',
      sent: workload,
      status: { replicas: -1, availableReplicas: 1 },
      causes: [
        'status.replicas: Invalid value: -1: must be greater than or equal to 0',
        'status.readyReplicas: Invalid value: 0: cannot be greater than status.replicas',
        'status.currentReplicas: Invalid value: 0: cannot be greater than status.replicas',
        'status.updatedReplicas: Invalid value: 0: cannot be greater than status.replicas',
        'status.availableReplicas: Invalid value: 1: cannot be greater than status.replicas',
        'status.availableReplicas: Invalid value: 1: cannot be greater than status.readyReplicas',
      ],
    },
    {
      kind: 'Job',
      sent: { spec: { template: { spec: { ...oneTemplate.spec, restartPolicy: 'Never' } } } },
      status: { conditions: [{ type: 'Complete', status: 'True' }], active: 1 },
      causes: [
        'status.conditions: Invalid value: cannot set Complete=True condition without the SuccessCriteriaMet=true condition',
        'status.completionTime: Required value: completionTime is required for Complete jobs',
        'status.active: Invalid value: 1: active>0 is invalid for finished job',
        'status.startTime: Required value: startTime is required for finished job',
      ],
    },
    {
      kind: 'Ingress',
      sent: { spec: { defaultBackend: { service: { name: 's', port: { number: 1 } } } } },
      status: { loadBalancer: { ingress: [{ ip: 'x' }, { hostname: '1.2.3.4' }] } },
      causes: [
        'status.loadBalancer.ingress[0].ip: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
        'status.loadBalancer.ingress[1].hostname: Invalid value: "1.2.3.4": must be a DNS name, not an IP address',
      ],
    },
  ]

  for (const { kind, sent, status, causes } of statusCases) {
    it(`refuses a status of a ${kind}: ${causes[0]?.slice(0, 60) ?? ''}`, async () => {
      await kinds.create(kind, sent)
      const request = kinds.request(kind)
      const strategy = subresourceStrategy(kinds.resource(kind), 'status')
      if (strategy === undefined) throw new Error(`${kind} has no status`)
      const transform = (old: ApiObject) => ({ ...old, status })
      const update = kinds.store(kind).update(request, { transform, strategy }, request)
      expect(await causesOf(update)).to.deep.equal(causes)
    })
  }

  const generations = [
    { kind: 'PriorityClass', sent: { value: 1 }, changed: { description: 'd' }, want: 1 },
    {
      kind: 'EndpointSlice',
      sent: { addressType: 'IPv4' },
      changed: { metadata: { annotations: { a: 'b' } } },
      want: 1,
    },
    {
      kind: 'EndpointSlice',
      sent: { addressType: 'IPv4' },
      changed: { metadata: { labels: { a: 'b' } } },
      want: 2,
    },
  ]

  for (const { kind, sent, changed, want } of generations) {
    it(`a ${kind} with ${JSON.stringify(changed)} has generation ${want}`, async () => {
      await kinds.create(kind, sent)
      const request = kinds.request(kind)
      const transform = (old: ApiObject) => {
        const { metadata, ...content } = changed as { metadata?: Fields }
        return { ...old, ...content, metadata: { ...old.metadata, ...metadata } }
      }
      const { bytes } = await kinds.store(kind).update(request, { transform }, request)
      const { metadata } = JSON.parse(bytes.toString()) as ApiObject
      expect(metadata.generation).to.equal(want)
    })
  }

  it('a job copies the labels of its template and adds those that identify its pods', async () => {
    const spec = { ...oneTemplate.spec, restartPolicy: 'Never' }
    const { metadata } = await kinds.create('Job', { spec: { template: { ...oneTemplate, spec } } })
    const { uid = '', labels } = metadata
    expect(labels).to.deep.equal({
      app: 'a',
      'batch.kubernetes.io/controller-uid': uid,
      'batch.kubernetes.io/job-name': 'a',
      'controller-uid': uid,
      'job-name': 'a',
    })
  })

  it('a daemon set counts its templates in an annotation', async () => {
    await kinds.create('DaemonSet', workload)
    const request = kinds.request('DaemonSet')
    const transform = (old: ApiObject) => {
      const next = structuredClone(old)
      Object.assign((next['spec'] as { template: { spec: Fields } }).template.spec, {
        hostNetwork: true,
      })
      return next
    }
    const { bytes } = await kinds.store('DaemonSet').update(request, { transform }, request)
    const { metadata } = JSON.parse(bytes.toString()) as ApiObject
    expect(metadata.annotations).to.deep.equal({
      'deprecated.daemonset.template.generation': '2',
    })
  })

  it('a lease drops its candidate fields', async () => {
    const spec = { holderIdentity: 'h', strategy: 'OldestEmulationVersion', preferredHolder: 'p' }
    const lease = await kinds.create('Lease', { spec })
    expect(lease['spec']).to.deep.equal({ holderIdentity: 'h' })
  })

  it('a name that is not a DNS label causes a warning if pods are named after it', async () => {
    const warnings: string[] = []
    const context = { ...clientContext(), warn: (text: string) => warnings.push(text) }
    const object = kinds.object('Deployment', { ...workload, metadata: { name: 'a.b' } })
    await kinds.store('Deployment').create(object, context)
    expect(warnings).to.deep.equal([
      'metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]',
    ])
  })
})
