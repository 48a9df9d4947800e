import { expect } from 'chai'
import type { HttpClient } from '../../endpoints/support/httpClient.ts'
import { useTestServer } from '../../endpoints/support/testServer.ts'
import { waitUntil } from '../../support/waitUntil.ts'
import { clusterBase, instanceBase, instances, makePlanes } from './planeServer.ts'

const inDefault = '/api/v1/namespaces/default'
const patchesOf = (patches: unknown) =>
  JSON.stringify({ sync: { toHost: { endpoints: { patches } } } })
const good = patchesOf([{ path: 'subsets[*].addresses[*].ip', expression: '"10.9.9.9"' }])

interface Condition {
  type: string
  status: string
  lastTransitionTime: string
}

describe('the sync configuration of an instance', () => {
  const server = useTestServer()
  let admin: HttpClient

  before(async () => {
    admin = server().admin
    await makePlanes(admin, { hosts: ['one'] })
    // Several instances are synced to it, so it belongs to none of them.
    await admin.post(`${clusterBase('one')}/api/v1/namespaces`, { metadata: { name: 'team' } })
  })

  const specOf = (values?: string) => ({
    clusterRef: { cluster: 'one', namespace: 'team' },
    ...(values === undefined ? {} : { template: { helmRelease: { values } } }),
  })
  const make = async (name: string, values?: string) => {
    const made = await admin.post(instances, { metadata: { name }, spec: specOf(values) })
    expect(made.status, made.text).to.equal(201)
  }
  const change = (name: string, values: string) =>
    admin.patch(`${instances}/${name}`, 'merge-patch+json', { spec: specOf(values) })
  const conditions = async (name: string) =>
    ((await admin.get(`${instances}/${name}`)).field('status', 'conditions') ?? []) as Condition[]
  const shown = async (name: string, status: string) => {
    await waitUntil(async () => (await conditions(name))[0]?.status === status)
    const [{ lastTransitionTime, ...condition } = { lastTransitionTime: '' }] =
      await conditions(name)
    expect(lastTransitionTime).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    return condition
  }
  const invalid = (message: string) => ({
    ...{ type: 'SyncConfigured', status: 'False', severity: 'Error', reason: 'Invalid', message },
  })
  const valid = { type: 'SyncConfigured', status: 'True', reason: 'Valid' }

  const path = 'metadata.annotations.a'
  const wrong = [
    {
      name: 'two-uses',
      values: patchesOf([{ path, expression: 'value', labels: {} }]),
      want: 'sync.toHost.endpoints.patches[0] can only use one of: expression, labels or reference',
    },
    {
      name: 'two-problems',
      values: patchesOf([{ path }, { path, expression: 'value' }]),
      want:
        'sync.toHost.endpoints.patches[0] need to use one of: expression, labels or reference; ' +
        `sync.toHost.endpoints.patches[0] and sync.toHost.endpoints.patches[1] have the same path "${path}"`,
    },
    {
      name: 'unknown-field',
      values: JSON.stringify({ sync: { toHost: { services: { enable: true } } } }),
      want: 'sync.toHost.services has the unknown field enable',
    },
    {
      name: 'statement',
      values: patchesOf([{ path, expression: 'return value' }]),
      want: /^sync\.toHost\.endpoints\.patches\[0\]\.expression is not an ES6 expression: SyntaxError/,
    },
    {
      name: 'no-yaml',
      values: 'sync: [',
      want: /^the configuration cannot be read: /,
    },
  ]
  for (const { name, values, want } of wrong) {
    it(`a condition reports errors while the instance is unused: ${name} (facts 6.2)`, async () => {
      await make(name, values)
      const { message, ...rest } = (await shown(name, 'False')) as { message?: string }
      if (want instanceof RegExp) expect(message).to.match(want)
      else expect(message).to.equal(want)
      expect({ ...rest, message: '' }).to.deep.equal(invalid(''))
    })
  }

  it('an instance without sync settings has no condition', async () => {
    await make('plain', 'controlPlane: {}')
    await make('sound', good)
    expect(await shown('sound', 'True')).to.deep.equal(valid)
    // Instances are examined one after the other.
    expect(await conditions('plain')).to.deep.equal([])
  })

  it('the condition follows the configuration, and the previous one stays in effect', async () => {
    const virtual = instanceBase('web')
    const ip = async (name: string) =>
      (
        await admin.get(
          `${clusterBase('one')}/api/v1/namespaces/team/endpoints/${name}-x-default-x-web`,
        )
      ).field('subsets', 0, 'addresses', 0, 'ip')
    const expose = async (name: string) => {
      const metadata = { name }
      await admin.post(`${virtual}${inDefault}/services`, {
        metadata,
        spec: { ports: [{ port: 1 }] },
      })
      const subsets = [{ addresses: [{ ip: '10.1.2.3' }], ports: [{ port: 1 }] }]
      await admin.post(`${virtual}${inDefault}/endpoints`, { metadata, subsets })
    }
    await make('web', good)
    await expose('first')
    await waitUntil(async () => (await ip('first')) === '10.9.9.9')
    await change('web', patchesOf([{ path }]))
    await shown('web', 'False')
    await expose('second')
    await waitUntil(async () => (await ip('second')) === '10.9.9.9')
    await change(
      'web',
      patchesOf([{ path: 'subsets[*].addresses[*].ip', expression: '"10.8.8.8"' }]),
    )
    expect(await shown('web', 'True')).to.deep.equal(valid)
    await waitUntil(async () => (await ip('first')) === '10.8.8.8')
  })

  it('an invalid first configuration syncs nothing, until it is corrected', async () => {
    const virtual = instanceBase('late')
    await make('late', patchesOf([{ path }]))
    await shown('late', 'False')
    const spec = { ports: [{ port: 1 }] }
    await admin.post(`${virtual}${inDefault}/services`, { metadata: { name: 'db' }, spec })
    await change('late', good)
    const copy = `${clusterBase('one')}/api/v1/namespaces/team/services/db-x-default-x-late`
    await waitUntil(async () => (await admin.get(copy)).status === 200)
  })
})
