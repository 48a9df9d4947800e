import { expect } from 'chai'
import { ConversionServer } from '../../support/servers/conversionServer.ts'
import { definitionsPath } from '../../support/definitions.ts'
import { waitUntil } from '../../support/waitUntil.ts'
import { web, webDefinition, webs } from '../../support/kinds/webDefinition.ts'
import { useTestServer } from '../../endpoints/support/testServer.ts'

function only<Value>(values: readonly Value[]): Value {
  const [value] = values
  if (value === undefined || values.length > 1) throw new Error(`${values.length} values`)
  return value
}

/** Source: seen on kube-apiserver 1.37.2. */
describe('conversion by a webhook', () => {
  const server = useTestServer()
  let hook: ConversionServer
  before(async () => {
    hook = await ConversionServer.open()
    const { status } = await server().admin.post(definitionsPath, webDefinition(hook.clientConfig))
    expect(status).to.equal(201)
  })
  beforeEach(() => {
    hook.misbehave = undefined
    hook.calls.length = 0
  })
  after(() => hook.close())

  const create = async (version: 'v1' | 'v2', name: string, amount: number, metadata = {}) => {
    const made = await server().admin.post(webs(version), web(version, name, amount, metadata))
    expect(made.status).to.equal(201)
    return made
  }
  const spec = async (version: string, name: string) =>
    (await server().admin.get(webs(version, name))).field('spec')

  it('stores a new object in the storage version and responds in its own', async () => {
    const made = await create('v2', 'own', 4)
    expect([made.field('apiVersion'), made.field('spec')]).to.deep.equal([
      'g.example.com/v2',
      { count: 4 },
    ])
    expect(hook.asked).to.deep.equal(['v1: own', 'v2: own'])
    expect(await spec('v1', 'own')).to.deep.equal({ size: 4 })
    expect(hook.calls).to.have.length(2)
  })

  it('sends a review with a uid, the wanted version and the object without its revision', async () => {
    await create('v1', 'sent', 3, { labels: { a: 'b' } })
    await server().admin.get(webs('v2', 'sent'))
    const call = only(hook.calls)
    expect([call.url, call.headers['user-agent'], call.headers.accept]).to.deep.equal([
      '/convert?timeout=30s',
      'kube-apiserver-admission',
      'application/json, */*',
    ])
    const { request, ...envelope } = call.review
    expect(envelope).to.deep.equal({
      kind: 'ConversionReview',
      apiVersion: 'apiextensions.k8s.io/v1',
      response: { uid: '', convertedObjects: null, result: { metadata: {} } },
    })
    const object = only(request.objects)
    expect([request.desiredAPIVersion, object.apiVersion, object.spec]).to.deep.equal([
      'g.example.com/v2',
      'g.example.com/v1',
      { size: 3 },
    ])
    expect(object.metadata).to.include.keys('uid', 'labels', 'managedFields')
    expect(object.metadata).not.to.include.keys('resourceVersion')
  })

  it('converts a list in one call, and caches what it converted', async () => {
    for (const name of ['l1', 'l2', 'l3']) await create('v1', name, 1, { labels: { list: 'yes' } })
    const listed = await server().admin.get(`${webs('v2')}?labelSelector=list%3Dyes`)
    const items = listed.field('items') as { apiVersion: string; spec: object }[]
    expect(items.map(({ apiVersion, spec: found }) => [apiVersion, found])).to.deep.equal(
      Array.from({ length: 3 }, () => ['g.example.com/v2', { count: 1 }]),
    )
    expect(hook.asked.filter((asked) => asked.includes('l1, l2, l3'))).to.have.length(1)
    await server().admin.get(webs('v2'))
    await server().admin.get(webs('v2', 'l2'))
    expect(hook.asked.filter((asked) => asked.includes('l2'))).to.have.length(1)
  })

  it('selects by the fields of the requested version', async () => {
    await create('v1', 'field', 77)
    const found = await server().admin.get(`${webs('v2')}?fieldSelector=spec.count%3D77`)
    expect((found.field('items') as unknown[]).length).to.equal(1)
    const other = await server().admin.get(`${webs('v2')}?fieldSelector=spec.size%3D77`)
    expect(other.status).to.equal(400)
  })

  it('patches in one version an object written in another', async () => {
    await create('v1', 'patched', 3)
    const patched = await server().admin.patch(webs('v2', 'patched'), 'merge-patch+json', {
      spec: { count: 5, name: 'x' },
    })
    expect([patched.status, patched.field('spec')]).to.deep.equal([200, { name: 'x', count: 5 }])
    expect(await spec('v1', 'patched')).to.deep.equal({ name: 'x', size: 5 })
  })

  it('checks an update against the schema of its version, separately from the old value', async () => {
    await create('v1', 'checked', 3)
    const refused = await server().admin.patch(webs('v2', 'checked'), 'merge-patch+json', {
      spec: { count: 101 },
    })
    expect(refused.status).to.equal(422)
    expect(refused.field('details', 'causes', 0, 'field')).to.equal('spec.count')
  })

  it('tracks managers by the version they wrote in', async () => {
    await create('v1', 'managed', 3)
    const apply = (version: 'v1' | 'v2', manager: string, amount: number, force = '') =>
      server().admin.patch(
        `${webs(version, 'managed')}?fieldManager=${manager}${force}`,
        'apply-patch+yaml',
        JSON.stringify(web(version, 'managed', amount)),
      )
    expect((await apply('v2', 'second', 3)).status).to.equal(200)
    const conflict = await apply('v1', 'first', 7)
    expect([conflict.status, conflict.field('details', 'causes')]).to.deep.equal([
      409,
      [
        {
          reason: 'FieldManagerConflict',
          message: 'conflict with "second"',
          field: '.spec.count',
        },
        {
          reason: 'FieldManagerConflict',
          message: `conflict with "unknown" using g.example.com/v1`,
          field: '.spec.size',
        },
      ],
    ])
    const forced = await apply('v1', 'first', 7, '&force=true')
    const managers = forced.field('metadata', 'managedFields') as Record<string, unknown>[]
    expect([
      forced.status,
      managers.map(({ manager, apiVersion }) => [manager, apiVersion]),
    ]).to.deep.equal([
      200,
      [
        ['first', 'g.example.com/v1'],
        ['unknown', 'g.example.com/v1'],
      ],
    ])
  })

  it('writes the status in any version', async () => {
    await create('v1', 'state', 3)
    const patched = await server().admin.patch(
      `${webs('v2', 'state')}/status`,
      'merge-patch+json',
      {
        status: { ready: true },
      },
    )
    expect([patched.status, patched.field('status'), patched.field('spec')]).to.deep.equal([
      200,
      { ready: true },
      { count: 3 },
    ])
  })

  it('shows in a dry run what would be read, and stores nothing', async () => {
    const tried = await server().admin.post(`${webs('v2')}?dryRun=All`, web('v2', 'dry', 4))
    expect([tried.status, tried.field('spec')]).to.deep.equal([201, { count: 4 }])
    expect(hook.asked).to.deep.equal(['v1: dry', 'v2: dry'])
    expect((await server().admin.get(webs('v1', 'dry'))).status).to.equal(404)
  })

  it('accepts labels and annotations from the webhook, and no other metadata', async () => {
    hook.misbehave = (response) => {
      for (const object of response.convertedObjects as { metadata: object }[]) {
        Object.assign(object.metadata, {
          labels: { by: 'hook' },
          annotations: { by: 'hook' },
          finalizers: ['x/y'],
          generation: 9,
          ownerReferences: [{}],
        })
      }
      return response
    }
    const made = await create('v2', 'meta', 1, { labels: { own: 'one' } })
    const metadata = made.field('metadata') as Record<string, unknown>
    expect([metadata['labels'], metadata['annotations'], metadata['generation']]).to.deep.equal([
      { by: 'hook' },
      { by: 'hook' },
      1,
    ])
    expect(metadata).not.to.include.keys('finalizers', 'ownerReferences')
  })

  it('deletes through a version whose object was converted', async () => {
    await create('v1', 'gone', 1)
    const gone = await server().admin.delete(webs('v2', 'gone'))
    expect([gone.status, gone.field('status')]).to.deep.equal([200, 'Success'])
  })

  it('reads objects stored before the storage version changed', async () => {
    await create('v1', 'older', 6)
    const { admin } = server()
    const path = `${definitionsPath}/webs.g.example.com`
    const next = webDefinition(hook.clientConfig, 'v2')
    const patched = await admin.patch(path, 'merge-patch+json', { spec: next.spec })
    expect([patched.status, patched.field('status', 'storedVersions')]).to.deep.equal([
      200,
      ['v1', 'v2'],
    ])
    await waitUntil(async () => (await admin.get(webs('v2', 'older'))).status === 200)
    expect([await spec('v1', 'older'), await spec('v2', 'older')]).to.deep.equal([
      { size: 6 },
      { count: 6 },
    ])
    hook.calls.length = 0
    await create('v2', 'newer', 2)
    expect(hook.asked).to.deep.equal([])
    await admin.patch(path, 'merge-patch+json', { spec: webDefinition(hook.clientConfig).spec })
  })
})
