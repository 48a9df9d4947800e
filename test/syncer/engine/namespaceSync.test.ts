import { expect } from 'chai'
import type { ApiObject } from '../../../apiserver/meta/types.ts'
import type { PlaneResource } from '../../../syncer/client/planeClient.ts'
import { readSyncConfig } from '../../../syncer/config/syncConfig.ts'
import { ensureHostNamespace } from '../../../syncer/engine/namespaceSync.ts'
import type { ExpressionRuntime } from '../../../syncer/expressions/expressionRuntime.ts'
import { markers } from '../../../syncer/names/markers.ts'
import { namingOf } from '../../../syncer/names/naming.ts'
import { servicesRules } from '../../../syncer/rules/servicesRules.ts'
import { FakePlane } from './fakePlane.ts'

const namespaces: PlaneResource = {
  ...{ apiVersion: 'v1', kind: 'Namespace', plural: 'namespaces', namespaced: false },
}
const noFaults = { chance: () => 1, rate: 0 }
const upperCase: ExpressionRuntime = {
  evaluate: (_, inputs) => Promise.resolve(inputs.map(({ value }) => String(value).toUpperCase())),
  check: () => Promise.resolve(),
  close: () => Promise.resolve(),
}
const named = (name: string): ApiObject => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, labels: { own: 'virtual' } },
})

describe('ensureHostNamespace', () => {
  let virtual: FakePlane
  let host: FakePlane

  beforeEach(() => {
    virtual = new FakePlane(noFaults)
    host = new FakePlane(noFaults)
  })

  async function ensure(namespace: string, given: object): Promise<Record<string, unknown>[]> {
    const config = readSyncConfig({ sync: { toHost: { namespaces: { enabled: true, ...given } } } })
    const naming = namingOf({
      virtualCluster: 'my-vcluster',
      hostNamespace: 'team-x',
      namespaces: config.namespaces,
    })
    const nothing = () => Promise.resolve(undefined)
    await ensureHostNamespace(
      namespace,
      { virtual, host },
      {
        rules: servicesRules,
        patches: config.namespaces.patches,
        translation: { naming, marks: markers('platform') },
        config,
        runtime: upperCase,
        references: { toHost: nothing, toVirtual: nothing },
        missingExpression: 'keep',
      },
    )
    return host.all(namespaces).map(({ metadata: { name, labels, annotations } }) => ({
      name,
      labels,
      annotations,
    }))
  }

  const put = (plane: FakePlane, name: string) =>
    plane.put(namespaces, { namespace: '', name }, named(name))
  const made = (name: string, of: string, labels: object = {}) => ({
    name,
    labels: { ...labels, 'vcluster.platform/managed-by': 'team-x-x-my-vcluster' },
    annotations: {
      'vcluster.platform/object-name': of,
      'vcluster.platform/object-kind': '/v1, Kind=Namespace',
    },
  })

  for (const mark of ['space-uid', 'vcluster-uid']) {
    it(`refuses a namespace of another owner, and leaves it unchanged: ${mark}`, async () => {
      put(virtual, 'one')
      const taken = named('taken')
      taken.metadata.annotations = { [`platform/${mark}`]: 'u' }
      host.put(namespaces, { namespace: '', name: 'taken' }, taken)
      const error: unknown = await ensure('one', { mappings: { byName: { one: 'taken' } } }).catch(
        (failure: unknown) => failure,
      )
      expect(error).to.include({
        name: 'PlaneError',
        message:
          'namespace "taken" of the host belongs to somebody else, and nothing is mapped to it',
      })
    })
  }
  it('accepts its own namespace', async () => {
    put(virtual, 'one')
    const own = named('team-x')
    own.metadata.annotations = { 'platform/vcluster-uid': 'u' }
    host.put(namespaces, { namespace: '', name: 'team-x' }, own)
    await ensure('one', { mappings: { byName: { one: 'team-x' } } })
  })

  const cases: [name: string, namespace: string, config: object, want: object[]][] = [
    [
      'an exact mapping',
      'one',
      { mappings: { byName: { one: 'host-one' } } },
      [made('host-one', 'one')],
    ],
    ['a pattern', 'dev-a', { mappings: { byName: { 'dev-*': 'h-*' } } }, [made('h-a', 'dev-a')]],
    [
      'an exact mapping before a pattern',
      'dev-a',
      { mappings: { byName: { 'dev-*': 'h-*', 'dev-a': 'own' } } },
      [made('own', 'dev-a')],
    ],
    [
      "a placeholder is the virtual cluster's name",
      'one',
      { mappings: { byName: { one: '${name}-one' } } },
      [made('my-vcluster-one', 'one')],
    ],
    [
      'extraLabels are set, with the marker of cluster-scoped objects (6.8)',
      'one',
      { mappings: { byName: { one: 'host-one' } }, extraLabels: { team: 'x' } },
      [made('host-one', 'one', { team: 'x' })],
    ],
    [
      'patches change what is made',
      'one',
      {
        mappings: { byName: { one: 'host-one' } },
        extraLabels: { team: 'x' },
        patches: [{ path: 'metadata.labels.team', expression: 'upper' }],
      },
      [made('host-one', 'one', { team: 'X' })],
    ],
    ['nothing for a namespace without a mapping', 'one', {}, []],
    ['nothing, with mappingsOnly too', 'one', { mappingsOnly: true }, []],
  ]
  for (const [name, namespace, config, want] of cases) {
    it(`${name} (facts 6.1, 6.7, spec sync.namespaces)`, async () => {
      put(virtual, namespace)
      expect(await ensure(namespace, config)).to.deep.equal(want)
    })
  }

  const mapped = { mappings: { byName: { one: 'host-one' } } }

  it('uses an existing namespace unchanged', async () => {
    put(virtual, 'one')
    put(host, 'host-one')
    expect(await ensure('one', mapped)).to.deep.equal([
      { name: 'host-one', labels: { own: 'virtual' }, annotations: undefined },
    ])
  })

  it('creates none for a deleted virtual namespace', async () => {
    expect(await ensure('one', mapped)).to.deep.equal([])
  })

  it('creates it once for concurrent callers', async () => {
    put(virtual, 'one')
    await Promise.all([ensure('one', mapped), ensure('one', mapped)])
    expect(host.all(namespaces).length).to.equal(1)
  })
})
