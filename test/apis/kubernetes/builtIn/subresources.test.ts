import { formatTime } from '../../../../apiserver/meta/clock.ts'
import { expect } from 'chai'
import type { ApiObject } from '../../../../apiserver/meta/types.ts'
import { subresourceStrategy } from '../../../../apiserver/registry/resource.ts'
import { BuiltInKinds, onePod, oneTemplate, selector } from '../../../support/builtInKinds.ts'
import { refusal } from '../../../support/refusal.ts'

describe('subresources of built-in kinds', () => {
  let kinds: BuiltInKinds

  beforeEach(async () => {
    kinds = await BuiltInKinds.open()
  })

  afterEach(() => kinds.close())

  const setStatus = async (kind: string, status: Record<string, unknown>) => {
    const strategy = subresourceStrategy(kinds.resource(kind), 'status')
    if (strategy === undefined) throw new Error(`${kind} has no status`)
    const transform = (old: ApiObject): ApiObject => ({ ...old, spec: {}, status })
    const request = kinds.request(kind)
    await kinds.store(kind).update(request, { transform, strategy }, request)
  }

  const newest = (kind: string) => kinds.store(kind).newest(kinds.request(kind)).object

  for (const kind of ['Deployment', 'ReplicaSet', 'StatefulSet', 'ReplicationController']) {
    const isOld = kind === 'ReplicationController'
    it(`the scale of a ${kind} reads and sets its replicas`, async () => {
      const spec = { template: oneTemplate, ...(isOld ? {} : { selector }) }
      const made = await kinds.create(kind, { spec })
      const scales = kinds.answers(kind, 'scale')
      const request = kinds.request(kind)
      const scale = await scales.get?.(request)
      const { uid, resourceVersion, creationTimestamp } = made.metadata
      expect(scale).to.deep.equal({
        kind: 'Scale',
        apiVersion: 'autoscaling/v1',
        metadata: { name: 'a', namespace: 'default', uid, resourceVersion, creationTimestamp },
        spec: { replicas: 1 },
        status: { replicas: 0, selector: 'app=a' },
      })
      const wanted = { ...scale, spec: { replicas: 0 } } as ApiObject
      const updated = await scales.update?.(wanted, request)
      expect(updated?.['spec']).to.deep.equal({})
      const stored = newest(kind)
      expect((stored['spec'] as { replicas: number }).replicas).to.equal(0)
      expect(stored.metadata.generation).to.equal(2)
    })
  }

  it('a negative scale is refused, and a scale with an older resourceVersion conflicts', async () => {
    await kinds.create('Deployment', { spec: { selector, template: oneTemplate } })
    const scales = kinds.answers('Deployment', 'scale')
    const request = kinds.request('Deployment')
    const scale = (await scales.get?.(request)) as ApiObject
    const set = async (replicas: number) =>
      scales.update?.({ ...scale, spec: { replicas } }, request)
    expect((await refusal(set(-1))).message).to.equal(
      'Scale.autoscaling "a" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
    )
    await set(3)
    expect((await refusal(set(4))).reason).to.equal('Conflict')
  })

  it('a status update keeps the spec, and a spec update keeps the status', async () => {
    const made = await kinds.create('Deployment', { spec: { selector, template: oneTemplate } })
    await setStatus('Deployment', { replicas: 2 })
    const stored = newest('Deployment')
    expect(stored['spec']).to.deep.equal(made['spec'])
    expect(stored['status']).to.deep.equal({ replicas: 2 })
    expect(stored.metadata.generation).to.equal(1)
  })

  it('a binding assigns a pod to a node once', async () => {
    await kinds.create('Pod', { spec: onePod })
    const bindings = kinds.answers('Pod', 'binding')
    const bind = async () =>
      bindings.create?.(
        {
          kind: 'Binding',
          apiVersion: 'v1',
          metadata: { name: 'a', labels: { zone: 'z' } },
          target: { name: 'n' },
        },
        kinds.request('Pod'),
      )
    expect((await bind())?.['status']).to.equal('Success')
    const pod = newest('Pod')
    expect((pod['spec'] as { nodeName: string }).nodeName).to.equal('n')
    expect((pod['status'] as { conditions: unknown }).conditions).to.deep.equal([
      {
        type: 'PodScheduled',
        status: 'True',
        lastProbeTime: null,
        lastTransitionTime: formatTime(kinds.stores.clock.now()),
      },
    ])
    expect(pod.metadata).to.deep.include({ generation: 1, labels: { zone: 'z' } })
    expect((await refusal(bind())).message).to.equal(
      'Operation cannot be fulfilled on pods/binding "a": pod a is already assigned to node "n"',
    )
  })

  describe('eviction', () => {
    const evict = async () =>
      kinds
        .answers('Pod', 'eviction')
        .create?.(
          { kind: 'Eviction', apiVersion: 'policy/v1', metadata: { name: 'a' } },
          kinds.request('Pod'),
        )
    const running = async () => {
      await kinds.create('Pod', { spec: onePod, metadata: { labels: { app: 'a' } } })
      await setStatus('Pod', { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] })
    }
    const budget = (status: Record<string, unknown>) =>
      kinds
        .create('PodDisruptionBudget', { spec: { selector, minAvailable: 1 } })
        .then(() => setStatus('PodDisruptionBudget', status))

    it('deletes a pod that no budget protects', async () => {
      await running()
      expect((await evict())?.['status']).to.equal('Success')
      expect((await refusal(() => newest('Pod'))).reason).to.equal('NotFound')
    })

    it('uses one of the allowed disruptions', async () => {
      await running()
      await budget({ disruptionsAllowed: 1, observedGeneration: 1 })
      await evict()
      const left = newest('PodDisruptionBudget')['status'] as { disruptionsAllowed: number }
      expect(left).to.deep.equal({
        observedGeneration: 1,
        disruptedPods: { a: formatTime(kinds.stores.clock.now()) },
        disruptionsAllowed: 0,
        currentHealthy: 0,
        desiredHealthy: 0,
        expectedPods: 0,
        conditions: [
          {
            type: 'DisruptionAllowed',
            status: 'False',
            observedGeneration: 1,
            lastTransitionTime: formatTime(kinds.stores.clock.now()),
            reason: 'InsufficientPods',
            message: '',
          },
        ],
      })
    })

    it('an unready pod may be evicted while enough others are healthy', async () => {
      await running()
      await setStatus('Pod', { phase: 'Running' })
      await budget({ observedGeneration: 1, desiredHealthy: 1, currentHealthy: 1 })
      expect((await evict())?.['status']).to.equal('Success')
    })

    it('is refused with 429 if no disruption is allowed', async () => {
      await running()
      await budget({ observedGeneration: 1, desiredHealthy: 1, currentHealthy: 1 })
      const { code, message, details } = await refusal(evict())
      expect({ code, message, details }).to.deep.equal({
        code: 429,
        message: "Cannot evict pod as it would violate the pod's disruption budget.",
        details: {
          causes: [
            {
              reason: 'DisruptionBudget',
              message: 'The disruption budget a needs 1 healthy pods and has 1 currently',
            },
          ],
        },
      })
    })
  })

  describe('requests to a kubelet', () => {
    const several = {
      containers: [
        { name: 'c', image: 'i' },
        { name: 'd', image: 'i' },
      ],
    }

    function connect(subresource: string, query = ''): Promise<unknown> {
      const request = { ...kinds.request('Pod'), query: new URLSearchParams(query) }
      return Promise.resolve().then(() => kinds.answers('Pod', subresource).connect?.(request))
    }

    it('are refused for an unscheduled pod, except for its log, which is empty', async () => {
      await kinds.create('Pod', { spec: onePod })
      for (const subresource of ['exec', 'attach', 'portforward']) {
        const { code, message } = await refusal(connect(subresource))
        expect({ code, message }).to.deep.equal({
          code: 400,
          message: 'pod a does not have a host assigned',
        })
      }
      expect(await connect('log', 'container=c&tailLines=0&follow=true')).to.equal(undefined)
    })

    it('are refused for a scheduled pod, with what is known of the node', async () => {
      await kinds.create('Pod', { spec: { ...onePod, nodeName: 'n' } })
      const told = async (subresource: string) => {
        const { code, message } = await refusal(connect(subresource))
        return [code, message]
      }
      expect(await told('log')).to.deep.equal([404, 'pods "n" not found'])
      const node = { metadata: { name: 'n' } }
      await kinds.create('Node', node)
      const unknown = 'no preferred addresses found; known addresses: []'
      expect(await told('exec')).to.deep.equal([500, unknown])
      const addresses = [{ type: 'InternalIP', address: '10.0.0.1' }]
      const request = { ...kinds.request('Node'), name: 'n' }
      await kinds.store('Node').delete(request, {}, request)
      await kinds.create('Node', { ...node, status: { addresses } })
      expect(await told('exec')).to.deep.equal([400, 'Upgrade request required'])
      const url = 'https://10.0.0.1:10250'
      expect(await told('log')).to.deep.equal([500, `Get "${url}": this server reaches no nodes`])
    })

    it('require a container name if the pod has several', async () => {
      const initContainers = [{ name: 'i', image: 'i' }]
      await kinds.create('Pod', { spec: { ...several, initContainers } })
      expect((await refusal(connect('log'))).message).to.equal(
        'a container name must be specified for pod a, choose one of: [i c d]',
      )
      expect((await refusal(connect('exec', 'container=x'))).message).to.equal(
        'container x is not valid for pod a',
      )
      expect(await connect('log', 'container=i')).to.equal(undefined)
    })

    const options = [
      ['tailLines=x', 400, 'strconv.ParseInt: parsing "x": invalid syntax'],
      [
        'tailLines=-1&limitBytes=0&sinceSeconds=0',
        422,
        'PodLogOptions "a" is invalid: [tailLines: Invalid value: -1: must be greater than or equal to 0, limitBytes: Invalid value: 0: must be greater than 0, sinceSeconds: Invalid value: 0: must be greater than 0]',
      ],
      [
        'sinceSeconds=1&sinceTime=2030-01-01T00:00:00Z',
        422,
        'PodLogOptions "a" is invalid: []: Forbidden: at most one of `sinceTime` or `sinceSeconds` may be specified',
      ],
      [
        'stream=Stdout',
        422,
        'PodLogOptions "a" is invalid: stream: Forbidden: may not be specified',
      ],
    ] as const
    for (const [query, code, message] of options) {
      it(`return no log for ${query}: ${code}`, async () => {
        expect(await refusal(connect('log', query))).to.include({ code, message })
      })
    }
  })
})
