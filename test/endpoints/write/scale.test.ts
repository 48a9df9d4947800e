import { expect } from 'chai'
import type { Answer } from '../support/httpClient.ts'
import { useTestServer } from '../support/testServer.ts'

const deployments = '/apis/apps/v1/namespaces/default/deployments'

describe('a scale as a table', () => {
  const server = useTestServer()

  it('has the desired and the current replicas (reference 6.7)', async () => {
    const { admin } = server()
    const template = {
      metadata: { labels: { app: 'a' } },
      spec: { containers: [{ name: 'c', image: 'i:1' }] },
    }
    const spec = { replicas: 4, selector: { matchLabels: { app: 'a' } }, template }
    await admin.post(deployments, { metadata: { name: 'shown' }, spec })
    const answer = await admin.call(`${deployments}/shown/scale`, {
      headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
    })
    const columns = answer.field('columnDefinitions') as { name: string }[]
    const rows = answer.field('rows') as { cells: unknown[] }[]
    expect(columns.map(({ name }) => name)).to.deep.equal(['Name', 'Desired', 'Available', 'Age'])
    expect(rows.map(({ cells }) => cells.slice(0, 3))).to.deep.equal([['shown', 4, 0]])
  })
})

describe('the generation of a scaled object', () => {
  const server = useTestServer()

  it('is raised by annotations, but by nothing in the status (reference 6.7)', async () => {
    const { admin } = server()
    const template = {
      metadata: { labels: { app: 'a' } },
      spec: { containers: [{ name: 'c', image: 'i:1' }] },
    }
    const spec = { replicas: 1, selector: { matchLabels: { app: 'a' } }, template }
    await admin.post(deployments, { metadata: { name: 'counted' }, spec })
    const generation = async (path: string, body: object) => {
      const answer = await admin.patch(`${deployments}/counted${path}`, 'merge-patch+json', body)
      return answer.field('metadata', 'generation')
    }
    const note = (text: string) => ({ metadata: { annotations: { note: text } } })
    expect(await generation('/status', note('1'))).to.equal(1)
    expect(await generation('/status', { status: { observedGeneration: 1 } })).to.equal(1)
    expect(await generation('', note('2'))).to.equal(2)
    await generation('/scale', { spec: { replicas: 2 } })
    expect(await generation('/status', note('3'))).to.equal(3)
  })
})

describe('managers of a scale', () => {
  const server = useTestServer()
  const at = (name: string) => `${deployments}/${name}`
  const scaleAt = (name: string, query = '') => `${at(name)}/scale${query}`

  async function make(name: string): Promise<void> {
    await server().admin.post(`${deployments}?fieldManager=maker`, {
      metadata: { name },
      spec: {
        replicas: 1,
        selector: { matchLabels: { app: 'a' } },
        template: {
          metadata: { labels: { app: 'a' } },
          spec: { containers: [{ name: 'c', image: 'i:1' }] },
        },
      },
    })
  }

  interface Entry {
    manager: string
    operation: string
    apiVersion: string
    subresource?: string
    fieldsV1: { 'f:spec': Record<string, unknown> }
  }

  /** Owners of the replicas field, with their subresources. */
  async function owners(name: string): Promise<string[]> {
    const answer = await server().admin.get(at(name))
    const entries = answer.field('metadata', 'managedFields') as Entry[]
    return entries
      .filter(({ fieldsV1 }) => fieldsV1['f:spec']['f:replicas'] !== undefined)
      .map(({ manager, operation, apiVersion, subresource = '' }) =>
        [manager, operation, apiVersion, subresource].join(' '),
      )
  }

  const scale = (name: string, replicas: number, metadata: object = {}) => ({
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, namespace: 'default', ...metadata },
    spec: { replicas },
  })

  const apply = (name: string, body: object, query = ''): Promise<Answer> =>
    server().admin.patch(scaleAt(name, `?fieldManager=scaler${query}`), 'apply-patch+yaml', body)

  const writes: Record<string, (name: string) => Promise<Answer>> = {
    PUT: (name) => server().admin.put(scaleAt(name, '?fieldManager=scaler'), scale(name, 3)),
    PATCH: (name) =>
      server().admin.patch(scaleAt(name, '?fieldManager=scaler'), 'merge-patch+json', {
        spec: { replicas: 3 },
      }),
  }
  for (const [method, write] of Object.entries(writes)) {
    it(`${method}: the writer owns only the replicas, through the scale (reference 3.11)`, async () => {
      const name = method.toLowerCase()
      await make(name)
      expect(await owners(name)).to.deep.equal(['maker Update apps/v1 '])
      expect((await write(name)).field('spec', 'replicas')).to.equal(3)
      expect(await owners(name)).to.deep.equal(['scaler Update apps/v1 scale'])
      const answer = await server().admin.get(at(name))
      const entries = answer.field('metadata', 'managedFields') as Entry[]
      const own = entries.find(({ manager }) => manager === 'scaler')
      expect(own?.fieldsV1).to.deep.equal({ 'f:spec': { 'f:replicas': {} } })
      // kube-apiserver copies the times of all managers from the parent, which did not have this
      // one.
      expect(own).not.to.have.property('time')
    })
  }

  it('apply: a conflict, by force, and shared (reference 3.12, 3.13)', async () => {
    await make('applied')
    const refused = await apply('applied', scale('applied', 5))
    expect([refused.status, refused.field('details', 'causes')]).to.deep.equal([
      409,
      [
        {
          reason: 'FieldManagerConflict',
          message: `conflict with "maker" using autoscaling/v1`,
          field: '.spec.replicas',
        },
      ],
    ])
    const forced = await apply('applied', scale('applied', 5), '&force=true')
    expect([forced.status, forced.field('kind'), forced.field('spec', 'replicas')]).to.deep.equal([
      200,
      'Scale',
      5,
    ])
    expect(await owners('applied')).to.deep.equal(['scaler Apply apps/v1 scale'])
    const version = (await server().admin.get(at('applied'))).field('metadata', 'resourceVersion')
    const again = await apply('applied', scale('applied', 5))
    expect(again.field('metadata', 'resourceVersion'), 'a no-op').to.equal(version)
  })

  const refusals: [string, object, number, string][] = [
    [
      'of another kind',
      { ...scale('refused', 1), kind: 'Deployment' },
      400,
      'invalid object type: autoscaling/v1, Kind=Deployment',
    ],
    [
      'with managedFields',
      scale('refused', 1, { managedFields: [] }),
      400,
      'metadata.managedFields must be nil',
    ],
    [
      'below 0',
      scale('refused', -1),
      422,
      'Scale.autoscaling "refused" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
    ],
  ]
  for (const [what, config, code, message] of refusals) {
    it(`apply of a scale ${what}: ${code} (reference 3.13)`, async () => {
      const { admin } = server()
      if ((await admin.get(at('refused'))).status === 404) await make('refused')
      const answer = await apply('refused', config)
      expect([answer.status, answer.field('message')]).to.deep.equal([code, message])
    })
  }
})
