import { expect } from 'chai'
import type { ApiObject } from '../../../../../apiserver/meta/types.ts'
import { subresourceStrategy } from '../../../../../apiserver/registry/resource.ts'
import { BuiltInKinds, onePod } from '../../../../support/builtInKinds.ts'
import { refusal } from '../../../../support/refusal.ts'

describe('pods', () => {
  let kinds: BuiltInKinds

  beforeEach(async () => {
    kinds = await BuiltInKinds.open()
  })

  afterEach(() => kinds.close())

  const change = async (spec: object, next: object, isStatus = false) => {
    const made = await kinds.create('Pod', { spec })
    const { metadata } = made
    const strategy = isStatus ? subresourceStrategy(kinds.resource('Pod'), 'status') : undefined
    const transform = (old: ApiObject) =>
      isStatus ? { ...old, status: next } : kinds.object('Pod', { spec: next, metadata })
    const request = kinds.request('Pod')
    const update = { transform, ...(strategy === undefined ? {} : { strategy }) }
    await kinds.store('Pod').update(request, update, request)
    return kinds.store('Pod').newest(request).object
  }

  const causes = async (call: Promise<unknown>) => {
    const { details } = await refusal(call)
    return details?.causes?.map(({ field, message }) => `${field ?? ''}: ${message ?? ''}`)
  }

  const gated = { ...onePod, schedulingGates: [{ name: 'a' }, { name: 'b' }] }

  it('with scheduling gates wait, and lose the gates one by one', async () => {
    const made = await kinds.create('Pod', { spec: gated })
    expect(made['status']).to.deep.equal({
      phase: 'Pending',
      conditions: [
        {
          type: 'PodScheduled',
          status: 'False',
          lastProbeTime: null,
          lastTransitionTime: '2030-01-01T00:00:00Z',
          reason: 'SchedulingGated',
          message: 'Scheduling is blocked due to non-empty scheduling gates',
        },
      ],
      qosClass: 'BestEffort',
    })
  })

  it('accept fewer gates, and a narrower node selection while gated', async () => {
    const next = { ...onePod, schedulingGates: [{ name: 'b' }], nodeSelector: { a: 'b' } }
    const { spec } = (await change(gated, next)) as ApiObject & { spec: object }
    expect(spec).to.deep.include({ schedulingGates: [{ name: 'b' }], nodeSelector: { a: 'b' } })
  })

  it('refuse new gates', async () => {
    const next = { ...onePod, schedulingGates: [{ name: 'c' }] }
    expect(await causes(change(gated, next))).to.deep.equal([
      "spec.schedulingGates[0].name: Forbidden: only deletion is allowed, but found new scheduling gate 'c'",
    ])
  })

  it('refuse additional containers', async () => {
    const next = { containers: [...onePod.containers, { name: 'd', image: 'i' }] }
    expect(await causes(change(onePod, next))).to.deep.equal([
      'spec.containers: Forbidden: pod updates may not add or remove containers',
    ])
  })

  it('can shorten their deadline, but never extend it', async () => {
    const spec = { ...onePod, activeDeadlineSeconds: 5 }
    const later = change(spec, { ...onePod, activeDeadlineSeconds: 6 })
    expect(await causes(later)).to.deep.equal([
      'spec.activeDeadlineSeconds: Invalid value: 6: must be less than or equal to previous value',
    ])
  })

  it('keep their QoS class if a status update omits it', async () => {
    const { status } = await change(onePod, { phase: 'Running' }, true)
    expect(status).to.deep.equal({ phase: 'Running', qosClass: 'BestEffort' })
  })

  it('cannot be nominated for a node once scheduled', async () => {
    const spec = { ...onePod, nodeName: 'n' }
    expect(await causes(change(spec, { nominatedNodeName: 'm' }, true))).to.deep.equal([
      'status.nominatedNodeName: Forbidden: may not be set on pods that are already bound to a node',
    ])
  })

  const resources = (cpu: string) => ({ cpu, memory: cpu })
  const qualities = [
    { of: { requests: resources('0') }, want: 'BestEffort' },
    { of: { limits: resources('1'), requests: resources('1000m') }, want: 'Guaranteed' },
    { of: { limits: { cpu: '1' } }, want: 'Burstable' },
  ]
  for (const { of, want } of qualities) {
    it(`that ask for ${JSON.stringify(of)} are ${want}`, async () => {
      const inContainer = { containers: [{ name: 'c', image: 'i', resources: of }] }
      for (const spec of [inContainer, { ...onePod, resources: of }]) {
        const { status } = await kinds.create('Pod', { spec })
        expect(status).to.deep.equal({ phase: 'Pending', qosClass: want })
        await kinds.store('Pod').delete(kinds.request('Pod'), {}, kinds.request('Pod'))
      }
    })
  }

  it('have the QoS class of their containers if their own resources are empty', async () => {
    const containers = [{ name: 'c', image: 'i', resources: { requests: resources('1') } }]
    for (const own of [{ requests: {} }, { limits: {} }, {}]) {
      const { status } = await kinds.create('Pod', { spec: { containers, resources: own } })
      expect(status).to.deep.equal({ phase: 'Pending', qosClass: 'Burstable' })
      await kinds.store('Pod').delete(kinds.request('Pod'), {}, kinds.request('Pod'))
    }
  })

  const images = [
    ['i', 'Always'],
    ['i:latest', 'Always'],
    ['i:1', 'IfNotPresent'],
    ['host:5000/a/b', 'Always'],
    ['Not_An_Image', 'IfNotPresent'],
  ] as const
  for (const [image, want] of images) {
    it(`pull ${image}: ${want}`, async () => {
      const { spec } = await kinds.create('Pod', { spec: { containers: [{ name: 'c', image }] } })
      expect((spec as typeof onePod).containers[0]).to.deep.include({ imagePullPolicy: want })
    })
  }

  it('drop the stop signal of a container, and empty hooks', async () => {
    const preStop = { sleep: { seconds: 1 } }
    const containers = [
      { name: 'c', image: 'i', lifecycle: { stopSignal: 'SIGTERM' } },
      { name: 'd', image: 'i', lifecycle: { stopSignal: 'SIGTERM', preStop } },
    ]
    const { spec } = await kinds.create('Pod', { spec: { os: { name: 'linux' }, containers } })
    const stored = (spec as { containers: { lifecycle?: object }[] }).containers
    expect(stored.map(({ lifecycle }) => lifecycle)).to.deep.equal([undefined, { preStop }])
  })

  it('get warnings for suspicious but valid fields', () => {
    const pod = kinds.object('Pod', {
      spec: {
        nodeSelector: { 'beta.kubernetes.io/os': 'linux' },
        topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'a' }],
        imagePullSecrets: [{ name: 'a' }, { name: 'a' }, {}],
        volumes: [{ name: 'v', gitRepo: { repository: 'r' } }],
        terminationGracePeriodSeconds: -1,
        containers: [
          {
            name: 'c',
            image: 'i',
            env: [{ name: 'A' }, { name: 'A' }],
            ports: [{ containerPort: 80, name: 'p' }],
            resources: { requests: { memory: '1m' } },
          },
          { name: 'd', image: 'i', ports: [{ containerPort: 80, name: 'p' }] },
        ],
      },
    })
    const { strategy } = kinds.resource('Pod')
    expect(strategy.warningsOnCreate?.(pod, kinds.request('Pod'))).to.deep.equal([
      'spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead',
      'spec.topologySpreadConstraints[0].labelSelector: a null labelSelector results in matching no pod',
      'spec.volumes[0].gitRepo: deprecated in v1.11, and disabled by default in v1.33+',
      'spec.imagePullSecrets[1].name: duplicate name "a"',
      'spec.imagePullSecrets[2].name: invalid empty name ""',
      'spec.containers[0].resources.requests[memory]: fractional byte value "1m" is invalid, must be an integer',
      'spec.containers[0].env[1]: hides previous definition of "A", which may be dropped when using apply',
      'spec.containers[1].ports[0]: duplicate port definition with spec.containers[0].ports[0]',
      'spec.containers[1].ports[0]: duplicate port name "p" with spec.containers[0].ports[0], services and probes that select ports by name will use spec.containers[0].ports[0]',
    ])
  })
})
