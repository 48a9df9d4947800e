import { expect } from 'chai'
import { SyncConfigError } from '../../../syncer/config/syncConfig.ts'
import { explainSync } from '../../../syncer/explain/explainSync.ts'
import { ObjectError } from '../../../syncer/explain/readObject.ts'
import type { SandboxRuntime } from '../../../syncer/expressions/sandboxRuntime.ts'
import { sandbox } from '../sandbox.ts'

const db = { apiVersion: 'v1', kind: 'Endpoints', metadata: { name: 'db' } }
const annotated = (annotations: object) => ({ ...db, metadata: { name: 'db', annotations } })
const withPatches = (...patches: object[]) => ({ sync: { toHost: { endpoints: { patches } } } })

describe('explainSync', function () {
  this.timeout(20_000)
  let runtime: SandboxRuntime
  before(() => (runtime = sandbox()))
  after(() => runtime.close())

  const explain = (config: unknown, object: unknown) =>
    explainSync(config, object, {
      ...{ name: 'my-vcluster', hostNamespace: 'team-x', domain: 'platform', runtime },
    })

  const patches: [
    name: string,
    patch: object,
    annotations: object,
    by: string,
    matches: object[],
  ][] = [
    [
      'an expression, value by value',
      { path: 'metadata.annotations[*]', expression: '"p-" + value' },
      { a: '1', b: '2' },
      '"p-" + value',
      [
        { path: 'metadata.annotations.a', input: '1', result: 'p-1' },
        { path: 'metadata.annotations.b', input: '2', result: 'p-2' },
      ],
    ],
    [
      'null, which removes the field',
      { path: 'metadata.annotations.a', expression: 'null' },
      { a: '1' },
      'null',
      [{ path: 'metadata.annotations.a', input: '1', result: null }],
    ],
    [
      'a path that matches nothing',
      { path: 'metadata.annotations.absent', expression: '1' },
      { a: '1' },
      '1',
      [],
    ],
    [
      'a reference, whose object counts as there',
      { path: 'metadata.annotations.a', reference: { apiVersion: 'v1', kind: 'Secret' } },
      { a: 'my-secret' },
      'reference to v1 Secret',
      [
        {
          path: 'metadata.annotations.a',
          input: 'my-secret',
          result: 'my-secret-x-default-x-my-vcluster',
        },
      ],
    ],
    [
      'labels',
      { path: 'metadata.annotations', labels: {} },
      { release: '1' },
      'labels',
      [
        {
          path: 'metadata.annotations',
          input: { release: '1' },
          result: { 'vcluster.platform/label-my-vcluster-x-a4d451ec23': '1' },
        },
      ],
    ],
    [
      'a reverse expression alone',
      { path: 'metadata.annotations.a', reverseExpression: '1' },
      { a: '1' },
      'reverseExpression alone: nothing on the way to the host',
      [],
    ],
  ]
  for (const [name, patch, annotations, by, matches] of patches) {
    it(`shows ${name}`, async () => {
      const { path } = patch as { path: string }
      const explanation = await explain(withPatches(patch), annotated(annotations))
      expect(explanation.patches).to.deep.equal([{ path, by, matches }])
      expect(explanation).to.have.property('host')
    })
  }

  it('shows the steps before a failed patch, and no host object', async () => {
    const config = withPatches(
      { path: 'metadata.annotations.a', expression: '"first"' },
      { path: 'metadata.annotations.b', expression: 'value.x.y' },
    )
    const { error, ...rest } = await explain(config, annotated({ a: '1', b: '2' }))
    expect(error).to.match(/^patches\[1\] at "metadata\.annotations\.b": TypeError/)
    expect(rest).to.deep.equal({
      object: 'Endpoints default/db',
      patches: [
        {
          path: 'metadata.annotations.a',
          by: '"first"',
          matches: [{ path: 'metadata.annotations.a', input: '1', result: 'first' }],
        },
      ],
    })
  })

  const own = { ...db, metadata: { name: 'kubernetes' } }
  const notSynced: [name: string, config: unknown, object: object, why: string][] = [
    [
      'another kind',
      {},
      { ...db, kind: 'Pod' },
      'Pod of v1 is not synced: Services and Endpoints of v1 are',
    ],
    [
      'a kind of the same name',
      {},
      { ...db, apiVersion: 'example.com/v1', kind: 'Service' },
      'Service of example.com/v1 is not synced: Services and Endpoints of v1 are',
    ],
    [
      'a kind that is switched off',
      { sync: { toHost: { endpoints: { enabled: false } } } },
      db,
      'sync.toHost.endpoints.enabled is false',
    ],
    [
      'a namespace without a mapping',
      { sync: { toHost: { namespaces: { enabled: true, mappingsOnly: true } } } },
      db,
      'namespace default is not mapped to the host',
    ],
    [
      "the own API's Endpoints (facts 6.9)",
      {},
      own,
      "default/kubernetes is the virtual cluster's own API",
    ],
  ]
  for (const [name, config, object, why] of notSynced) {
    it(`says why ${name} is not synced`, async () => {
      const explanation = await explain(config, object)
      expect(explanation.notSynced).to.equal(why)
      expect(explanation).not.to.have.property('host')
    })
  }

  it('names the object by the mapping of namespaces', async () => {
    const namespaces = { enabled: true, mappings: { byName: { default: 'mapped' } } }
    const { host } = await explain({ sync: { toHost: { namespaces } } }, db)
    expect([host?.metadata.name, host?.metadata.namespace]).to.deep.equal(['db', 'mapped'])
  })

  it('refuses an invalid configuration, and input that is not an object', async () => {
    const errorOf = (work: Promise<unknown>) => work.catch((thrown: unknown) => thrown)
    expect(await errorOf(explain({ sync: 1 }, db))).to.be.instanceOf(SyncConfigError)
    expect(await errorOf(explain({}, 'x')))
      .to.be.instanceOf(ObjectError)
      .and.have.property('problems')
      .that.deep.equals([
        'the object must be a map',
        'apiVersion is required',
        'kind is required',
        'metadata.name is required',
      ])
  })
})
