import { expect } from 'chai'
import { definitionsPath as definitions, widgetDefinition } from '../../support/definitions.ts'
import { waitUntil } from '../../support/waitUntil.ts'
import { useTestServer } from '../support/testServer.ts'

const services = '/apis/apiregistration.k8s.io/v1/apiservices'
const label = 'kube-aggregator.kubernetes.io/automanaged'

describe('APIServices of local groups', () => {
  const server = useTestServer()
  const admin = () => server().admin
  const status = async (name: string) => (await admin().get(`${services}/${name}`)).status
  const becomes = (name: string, wanted: number) =>
    waitUntil(async () => (await status(name)) === wanted)
  const patched = (name: string, patch: object) =>
    admin().patch(`${services}/${name}`, 'merge-patch+json', patch)
  const version = (name: string, served: boolean, storage = false) => ({
    ...{ name, served, storage },
    schema: { openAPIV3Schema: { type: 'object' } },
  })

  const builtIn: [name: string, spec: object][] = [
    ['v1.', { version: 'v1', groupPriorityMinimum: 18_000, versionPriority: 1 }],
    [
      'v2.autoscaling',
      { group: 'autoscaling', version: 'v2', groupPriorityMinimum: 17_500, versionPriority: 30 },
    ],
    [
      'v1.apiextensions.k8s.io',
      {
        ...{ group: 'apiextensions.k8s.io', version: 'v1' },
        ...{ groupPriorityMinimum: 16_700, versionPriority: 15 },
      },
    ],
    [
      'v1.management.platform',
      {
        ...{ group: 'management.platform', version: 'v1' },
        ...{ groupPriorityMinimum: 2000, versionPriority: 100 },
      },
    ],
  ]
  for (const [name, spec] of builtIn) {
    it(`${name} exists and is available (reference 9.1)`, async () => {
      await becomes(name, 200)
      const answer = await admin().get(`${services}/${name}`)
      const conditions = answer.field('status', 'conditions') as Record<string, string>[]
      expect([answer.field('metadata', 'labels'), answer.field('spec')]).to.deep.equal([
        { [label]: 'onstart' },
        spec,
      ])
      expect(conditions.map(({ type, status, reason }) => [type, status, reason])).to.deep.equal([
        ['Available', 'True', 'Local'],
      ])
    })
  }

  it('each group version has one, except that of the APIServices (reference 9.1)', async () => {
    await becomes('v1.storage.k8s.io', 200)
    const groups = (await admin().get('/apis')).field('groups') as {
      versions: { groupVersion: string }[]
    }[]
    const versions = groups.flatMap(({ versions }) => versions).map((one) => one.groupVersion)
    const wanted = versions
      .filter((name) => !name.startsWith('apiregistration.'))
      .map((name) => name.split('/').reverse().join('.'))
    const { items } = (await admin().get(services)).json as {
      items: { metadata: { name: string } }[]
    }
    expect(items.map(({ metadata }) => metadata.name).sort()).to.deep.equal(
      ['v1.', ...wanted].sort(),
    )
  })

  it('those of a definition follow its versions, and manual changes are reverted (reference 9.1)', async () => {
    await becomes('v1.', 200)
    const spec = { versions: [version('v1', true, true), version('v2', false)] }
    await admin().post(definitions, widgetDefinition({}, { spec }))
    await becomes('v1.example.com', 200)
    const made = await admin().get(`${services}/v1.example.com`)
    expect([made.field('metadata', 'labels'), made.field('spec')]).to.deep.equal([
      { [label]: 'true' },
      {
        ...{ group: 'example.com', version: 'v1' },
        ...{ groupPriorityMinimum: 1000, versionPriority: 100 },
      },
    ])
    expect(await status('v2.example.com')).to.equal(404)

    const path = `${definitions}/widgets.example.com`
    const versions = [version('v1', true, true), version('v2', true)]
    await admin().patch(path, 'merge-patch+json', { spec: { versions } })
    await becomes('v2.example.com', 200)

    await admin().delete(`${services}/v2.example.com`)
    await becomes('v2.example.com', 200)
    await patched('v2.example.com', { spec: { versionPriority: 7 } })
    await waitUntil(async () => {
      const answer = await admin().get(`${services}/v2.example.com`)
      return answer.field('spec', 'versionPriority') === 100
    })

    await patched('v1.example.com', { metadata: { labels: { [label]: null } } })
    await admin().delete(path)
    await becomes('v2.example.com', 404)
    expect(await status('v1.example.com'), 'no longer kept here').to.equal(200)
  })

  it('one that claims to be local for an unknown group is deleted (reference 9.1)', async () => {
    await becomes('v1.', 200)
    await admin().post(services, {
      metadata: { name: 'v7.none.example.com', labels: { [label]: 'true' } },
      spec: {
        ...{ group: 'none.example.com', version: 'v7' },
        ...{ groupPriorityMinimum: 1, versionPriority: 1 },
      },
    })
    await becomes('v7.none.example.com', 404)
  })
})
