import { expect } from 'chai'
import type { ManagedFieldsEntry, ObjectMeta } from '../../../apiserver/meta/types.ts'
import type { Answer, HttpClient } from '../support/httpClient.ts'
import { useTestServer } from '../support/testServer.ts'

const namespaced = '/api/v1/namespaces/default'
const pods = `${namespaced}/pods`
const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets'

interface PodBody {
  metadata: ObjectMeta
  spec: { nodeName?: string; containers: object[]; ephemeralContainers?: object[] }
  status: { conditions?: { type: string }[] }
}

describe('subresources of pods', () => {
  const server = useTestServer()
  let admin: HttpClient
  let made = 0
  let name: string

  beforeEach(async () => {
    admin = server().admin
    name = `p${++made}`
    const resources = { requests: { cpu: '1' }, limits: { cpu: '2' } }
    await admin.post(`${pods}?fieldManager=maker`, {
      metadata: { name, labels: { app: name } },
      spec: { containers: [{ name: 'c', image: 'i:1', resources }] },
    })
  })

  const read = async () => (await admin.get(`${pods}/${name}`)).json as PodBody
  const managers = ({ metadata }: { metadata: ObjectMeta }) =>
    (metadata.managedFields ?? []).map(
      ({ manager, subresource }: ManagedFieldsEntry) => `${manager}/${subresource ?? ''}`,
    )
  const patch = (subresource: string, body: object, type = 'strategic-merge-patch+json') =>
    admin.patch(`${pods}/${name}/${subresource}?fieldManager=mine`, type, body)
  const told = (answer: Answer) => [answer.status, answer.field('message')]

  it('a binding keeps managers and generation (reference 3.11)', async () => {
    const before = await read()
    const answer = await admin.post(`${pods}/${name}/binding`, {
      metadata: { name, annotations: { a: 'b' } },
      target: { kind: 'Node', name: 'n1' },
    })
    expect(answer.status, answer.text).to.equal(201)
    const after = await read()
    expect(after.spec.nodeName).to.equal('n1')
    expect(after.metadata.annotations).to.deep.equal({ a: 'b' })
    expect(after.metadata.managedFields).to.deep.equal(before.metadata.managedFields)
    expect(after.metadata.generation).to.equal(1)
    expect(after.status.conditions?.map(({ type }) => type)).to.deep.equal(['PodScheduled'])
  })

  const bindings: { what: string; body: (pod: PodBody) => object; code: number; text: string }[] = [
    {
      what: 'for another pod',
      body: () => ({ metadata: { name: 'other' }, target: { name: 'n' } }),
      code: 400,
      text: 'name in URL does not match name in Binding object',
    },
    {
      what: 'to nothing',
      body: ({ metadata }) => ({ metadata: { name: metadata.name }, target: { kind: 'Pod' } }),
      code: 500,
      text: '[target.kind: Unsupported value: "Pod": supported values: "Node", "<empty>", target.name: Required value]',
    },
  ]
  for (const { what, body, code, text } of bindings) {
    it(`refuses a binding ${what}: ${code}`, async () => {
      expect(told(await admin.post(`${pods}/${name}/binding`, body(await read())))).to.deep.equal([
        code,
        text,
      ])
    })
  }

  it('refuses a binding of a pod of another uid: 409', async () => {
    const answer = await admin.post(`${pods}/${name}/binding`, {
      metadata: { name, uid: 'x' },
      target: { name: 'n' },
    })
    expect(answer.status, answer.text).to.equal(409)
  })

  it("an eviction has no manager in the pod, and is the server's own write in the budget (reference 3.11)", async () => {
    await admin.post(`${budgets}?fieldManager=maker`, {
      metadata: { name },
      spec: { minAvailable: 0, selector: { matchLabels: { app: name } } },
    })
    await admin.patch(`${budgets}/${name}/status?fieldManager=keeper`, 'merge-patch+json', {
      status: {
        observedGeneration: 1,
        disruptionsAllowed: 2,
        currentHealthy: 1,
        desiredHealthy: 0,
      },
    })
    const conditions = [{ type: 'Ready', status: 'True' }]
    await admin.patch(`${pods}/${name}/status?fieldManager=node`, 'merge-patch+json', {
      status: { phase: 'Running', conditions },
    })
    await admin.patch(`${pods}/${name}?fieldManager=maker`, 'merge-patch+json', {
      metadata: { finalizers: ['example.com/wait'] },
    })
    const before = await read()
    const answer = await admin.post(`${pods}/${name}/eviction`, { metadata: { name } })
    expect(answer.status, answer.text).to.equal(201)
    const after = await read()
    expect(after.metadata.managedFields).to.deep.equal(before.metadata.managedFields)
    expect(after.metadata.deletionTimestamp).to.be.a('string')
    expect(after.status.conditions?.map(({ type }) => type)).to.deep.equal([
      'Ready',
      'DisruptionTarget',
    ])
    const budget = await admin.get(`${budgets}/${name}`)
    expect(budget.field('status', 'disruptionsAllowed')).to.equal(1)
    expect(Object.keys(budget.field('status', 'disruptedPods') as object)).to.deep.equal([name])
    expect(managers(budget.json as PodBody)).to.have.members([
      'maker/',
      'keeper/status',
      'kube-apiserver/status',
    ])
  })

  it('an eviction may have the older version (reference 1.12)', async () => {
    const evict = (apiVersion: string) => {
      const eviction = { apiVersion, kind: 'Eviction', metadata: { name } }
      return admin.post(`${pods}/${name}/eviction?dryRun=All`, eviction)
    }
    const older = await evict('policy/v1beta1')
    expect(older.status, older.text).to.equal(201)
    expect(older.json).to.deep.include({ kind: 'Status', status: 'Success', code: 201 })
    for (const other of ['policy/v1beta2', 'apps/v1beta1']) {
      const refused = await evict(other)
      expect(refused.status, refused.text).to.equal(400)
    }
  })

  it('an ephemeral container is added through its subresource only, and is owned there (reference 3.11)', async () => {
    const container = { name: 'debug', image: 'shell', targetContainerName: 'c' }
    const wanted = { spec: { ephemeralContainers: [container] }, metadata: { labels: { x: 'y' } } }
    const main = await admin.patch(`${pods}/${name}`, 'strategic-merge-patch+json', wanted)
    expect(main.status, main.text).to.equal(422)
    const answer = await patch('ephemeralcontainers', wanted)
    expect(answer.status, answer.text).to.equal(200)
    const pod = await read()
    expect(pod.spec.ephemeralContainers?.[0]).to.deep.include(container)
    expect(pod.metadata.labels).to.deep.equal({ app: name })
    expect(pod.metadata.generation).to.equal(2)
    expect(managers(pod)).to.deep.equal(['maker/', 'mine/ephemeralcontainers'])
    const own = pod.metadata.managedFields?.[1]?.fieldsV1 as { 'f:spec': object }
    expect(Object.keys(own['f:spec'])).to.deep.equal(['f:ephemeralContainers'])
  })

  const ephemeral: { what: string; containers: object[]; text: string }[] = [
    {
      what: 'with the name of another',
      containers: [{ name: 'c', image: 'i' }],
      text: 'spec.ephemeralContainers[0].name: Duplicate value: "c"',
    },
    {
      what: 'whose target is not there',
      containers: [{ name: 'd', image: 'i', targetContainerName: 'x' }],
      text: 'spec.ephemeralContainers[0].targetContainerName: Not found: "x"',
    },
    {
      what: 'with ports',
      containers: [{ name: 'd', image: 'i', ports: [{ containerPort: 80 }] }],
      text: 'spec.ephemeralContainers[0].ports: Forbidden: cannot be set for an Ephemeral Container',
    },
  ]
  for (const { what, containers, text } of ephemeral) {
    it(`refuses an ephemeral container ${what}: 422`, async () => {
      const answer = await patch('ephemeralcontainers', {
        spec: { ephemeralContainers: containers },
      })
      expect(told(answer)).to.deep.equal([422, `Pod "${name}" is invalid: ${text}`])
    })
  }

  it('an ephemeral container cannot be removed, or be there from the start: 422', async () => {
    const ephemeralContainers = [{ name: 'debug', image: 'shell' }]
    await patch('ephemeralcontainers', { spec: { ephemeralContainers } })
    const pod = await read()
    const spec = { ...pod.spec, ephemeralContainers: [] }
    const removed = await admin.put(`${pods}/${name}/ephemeralcontainers`, { ...pod, spec })
    expect(told(removed)).to.deep.equal([
      422,
      `Pod "${name}" is invalid: spec.ephemeralContainers: Forbidden: existing ephemeral containers "debug" may not be removed\n`,
    ])
    const created = await admin.post(pods, {
      metadata: { name: 'new' },
      spec: { containers: [{ name: 'c', image: 'i' }], ephemeralContainers },
    })
    expect(told(created)).to.deep.equal([
      422,
      'Pod "new" is invalid: spec.ephemeralContainers: Forbidden: cannot be set on create',
    ])
  })

  it('a resize changes only the resources of containers, and owns them (reference 3.11)', async () => {
    const resources = { requests: { cpu: '500m' }, limits: { cpu: '3' } }
    const wanted = { spec: { containers: [{ name: 'c', image: 'other', resources }] } }
    const answer = await patch('resize', wanted)
    expect(answer.status, answer.text).to.equal(200)
    const pod = await read()
    expect(pod.spec.containers[0]).to.deep.include({ image: 'i:1', resources })
    expect(managers(pod)).to.deep.equal(['maker/', 'mine/resize'])
    expect(pod.metadata.managedFields?.[1]?.fieldsV1).to.deep.equal({
      'f:spec': {
        'f:containers': {
          'k:{"name":"c"}': {
            'f:resources': { 'f:limits': { 'f:cpu': {} }, 'f:requests': { 'f:cpu': {} } },
          },
        },
      },
    })
  })

  const resizes: { what: string; containers: object[]; text: string }[] = [
    {
      what: 'of a container of another name',
      containers: [{ name: 'd', image: 'i' }],
      text: '[spec: Invalid value: "Burstable": Pod QOS Class may not change as a result of resizing, spec.containers[0].name: Forbidden: containers may not be renamed or reordered on resize]',
    },
    {
      what: 'with one more container',
      containers: [
        { name: 'c', image: 'i' },
        { name: 'd', image: 'i' },
      ],
      text: '[spec: Invalid value: "Burstable": Pod QOS Class may not change as a result of resizing, spec.containers: Forbidden: containers may not be added or removed on resize]',
    },
    {
      what: 'that makes it guaranteed',
      containers: [
        {
          name: 'c',
          image: 'i',
          resources: { limits: { cpu: '2', memory: '1Gi' }, requests: { cpu: '2', memory: '1Gi' } },
        },
      ],
      text: 'spec: Invalid value: "Burstable": Pod QOS Class may not change as a result of resizing',
    },
    {
      what: 'without its limit',
      containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: '1' } } }],
      text: 'spec.containers[0].resources.limits: Forbidden: resource limits cannot be removed',
    },
    {
      what: 'of another resource',
      containers: [
        {
          name: 'c',
          image: 'i',
          resources: { limits: { cpu: '2', 'x.io/gpu': '1' }, requests: { cpu: '1' } },
        },
      ],
      text: 'spec: Forbidden: only cpu and memory resources are mutable',
    },
  ]
  for (const { what, containers, text } of resizes) {
    it(`refuses a resize ${what}: 422`, async () => {
      const pod = await read()
      const answer = await admin.put(`${pods}/${name}/resize`, {
        ...pod,
        spec: { ...pod.spec, containers },
      })
      expect(told(answer)).to.deep.equal([422, `Pod "${name}" is invalid: ${text}`])
    })
  }

  it('are in discovery (reference 6.1)', async () => {
    const list = (await admin.get('/api/v1')).field('resources') as {
      name: string
      kind: string
      verbs: string[]
    }[]
    for (const path of ['pods/ephemeralcontainers', 'pods/resize']) {
      expect(list.find((one) => one.name === path)).to.deep.include({
        kind: 'Pod',
        verbs: ['get', 'patch', 'update'],
      })
    }
  })
})
