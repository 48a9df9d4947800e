import { expect } from 'chai'
import {
  isReferenceSynced,
  readSyncConfig,
  SyncConfigError,
} from '../../../syncer/config/syncConfig.ts'

const withPatches = (...patches: unknown[]) => ({ sync: { toHost: { endpoints: { patches } } } })
const at = 'sync.toHost.endpoints.patches'

function problemsOf(given: unknown): readonly string[] {
  try {
    readSyncConfig(given)
    return []
  } catch (error) {
    return error instanceof SyncConfigError ? error.problems : [String(error)]
  }
}

describe('readSyncConfig', () => {
  it('endpoints and services are synced by default (spec sync.enabled)', () => {
    const { endpoints, services, namespaces } = readSyncConfig(undefined)
    expect({ endpoints, services, namespaces }).to.deep.equal({
      endpoints: { enabled: true, patches: [] },
      services: { enabled: true, patches: [] },
      namespaces: {
        enabled: false,
        patches: [],
        mappings: { byName: {} },
        mappingsOnly: false,
        extraLabels: {},
      },
    })
  })

  it('the whole configuration is merged with the defaults (spec sync.context)', () => {
    const { document } = readSyncConfig({
      sync: { toHost: { endpoints: { enabled: false }, pods: { translateImage: { a: 'b' } } } },
      networking: { advanced: { clusterDomain: 'acme.local' } },
      other: { a: 1 },
    })
    const at = (...path: string[]) =>
      path.reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], document)
    expect(at('other')).to.deep.equal({ a: 1 })
    expect(at('networking', 'advanced')).to.deep.equal({
      clusterDomain: 'acme.local',
      fallbackHostCluster: false,
      proxyKubelets: { byHostname: true, byIP: true },
    })
    const enabled = (section: string) =>
      Object.fromEntries(
        Object.entries(at('sync', section) as Record<string, { enabled?: unknown }>).map(
          ([key, value]) => [key, value.enabled],
        ),
      )
    expect(enabled('toHost')).to.deep.equal({
      ...{ pods: true, persistentVolumeClaims: true, secrets: true, configMaps: true },
      ...{ services: true, endpoints: false, namespaces: false, ingresses: false },
      ...{ priorityClasses: false, networkPolicies: false, volumeSnapshots: false },
      ...{ volumeSnapshotContents: false, podDisruptionBudgets: false, serviceAccounts: false },
      ...{ storageClasses: false, persistentVolumes: false, customResources: undefined },
    })
    expect(at('sync', 'toHost', 'pods')).to.deep.include({
      enabled: true,
      translateImage: { a: 'b' },
    })
    expect(enabled('fromHost')).to.deep.include({ events: true, nodes: false, csiNodes: 'auto' })
    expect(at('policies', 'networkPolicy')).to.deep.equal({ enabled: false })
  })

  it('defaults visible only to expressions sync no object', () => {
    const config = readSyncConfig(undefined)
    expect(
      ['Pod', 'PersistentVolumeClaim', 'Secret'].map((kind) => isReferenceSynced(config, kind)),
    ).to.deep.equal([false, false, true])
  })

  it('names unknown keys below toHost in a warning, but not those of kinds that patches refer to', () => {
    const reference = { apiVersion: 'example.com/v1', kind: 'Thing' }
    const endpoints = { patches: [{ path: 'a', reference }] }
    const toHost = {
      endpoint: { enabled: false },
      things: { enabled: true },
      endpoints,
      ingresses: {},
    }
    expect(readSyncConfig({ sync: { toHost } }).warnings).to.deep.equal([
      'sync.toHost has the unknown key endpoint, which changes nothing',
    ])
    expect(readSyncConfig(undefined).warnings).to.deep.equal([])
  })

  it('accepts every field of a patch', () => {
    const reference = {
      apiVersion: 'v1',
      apiVersionPath: 'apiVersion',
      kind: 'Secret',
      kindPath: 'kind',
      namePath: 'name',
      namespacePath: 'namespace',
    }
    const patches = [
      { path: 'metadata.annotations[*]', expression: '"a"', reverseExpression: '"b"' },
      { path: 'spec.secretRef', reference },
      { path: 'spec.selector', labels: {} },
    ]
    expect(readSyncConfig(withPatches(...patches)).endpoints.patches).to.deep.equal(patches)
  })

  it('contradiction 3: labels may be in the reference too', () => {
    const { endpoints } = readSyncConfig(
      withPatches({ path: 'spec.selector', reference: { labels: {} } }),
    )
    expect(endpoints.patches).to.deep.equal([{ path: 'spec.selector', labels: {} }])
  })

  it('reads whether referenced kinds are synced', () => {
    const config = readSyncConfig({ sync: { toHost: { secrets: { enabled: false } } } })
    expect(
      ['Secret', 'ConfigMap', 'Pod'].map((kind) => isReferenceSynced(config, kind)),
    ).to.deep.equal([false, true, false])
  })

  const reference = { apiVersion: 'v1', kind: 'Secret' }
  const cases: [name: string, given: unknown, problems: string[]][] = [
    [
      'two uses',
      withPatches({ path: 'a', expression: '1', reference }),
      [`${at}[0] can only use one of: expression, labels or reference`],
    ],
    [
      'a reverse expression and labels',
      withPatches({ path: 'a', reverseExpression: '1', labels: {} }),
      [`${at}[0] can only use one of: expression, labels or reference`],
    ],
    [
      'no use',
      withPatches({ path: 'a' }),
      [`${at}[0] need to use one of: expression, labels or reference`],
    ],
    [
      'the same path twice',
      withPatches(
        { path: 'a', expression: '1' },
        { path: 'b', expression: '1' },
        { path: 'a', expression: '2' },
      ),
      [`${at}[0] and ${at}[2] have the same path "a"`],
    ],
    ['no path', withPatches({ expression: '1' }), [`${at}[0].path is required`]],
    [
      'a path that cannot be read',
      withPatches({ path: 'a[', expression: '1' }),
      [`${at}[0].path is invalid: unexpected unclosed bracket`],
    ],
    [
      'the name',
      withPatches({ path: 'metadata.name', expression: '1' }),
      [`${at}[0].path must not be metadata.name: the syncer decides it`],
    ],
    [
      'a reference to no kind',
      withPatches({ path: 'a', reference: { apiVersion: 'v1' } }),
      [`${at}[0].reference.kind is required`],
    ],
    [
      'a path beside no name',
      withPatches({ path: 'a', reference: { ...reference, namespacePath: 'namespace' } }),
      [`${at}[0].reference.namePath is required with namespacePath`],
    ],
    [
      'the namespace',
      withPatches({ path: 'metadata.namespace', expression: '1' }),
      [`${at}[0].path must not be metadata.namespace: the syncer decides it`],
    ],
    ...['kindPath', 'apiVersionPath'].map((path): [string, unknown, string[]] => [
      `${path} beside no name`,
      withPatches({ path: 'a', reference: { ...reference, [path]: 'x' } }),
      [`${at}[0].reference.namePath is required with ${path}`],
    ]),
    ...['apiVersionPath', 'kindPath', 'namePath', 'namespacePath'].map(
      (path): [string, unknown, string[]] => [
        `a ${path} that cannot be read`,
        withPatches({ path: 'a', reference: { ...reference, namePath: 'n', [path]: 'a]' } }),
        [`${at}[0].reference.${path} is invalid: unexpected bracket close`],
      ],
    ),
    [
      'a reference to no version',
      withPatches({ path: 'a', reference: { kind: 'Secret' } }),
      [`${at}[0].reference.apiVersion is required`],
    ],
    [
      'an expression, a reference and labels',
      withPatches({ path: 'a', expression: '1', reference, labels: {} }),
      [`${at}[0] can only use one of: expression, labels or reference`],
    ],
    [
      'a reference with labels in it',
      withPatches({ path: 'a', reference: { ...reference, labels: {} } }),
      [`${at}[0] can only use one of: expression, labels or reference`],
    ],
    [
      'the same path three times, each with the first',
      withPatches(...['1', '2', '3'].map((expression) => ({ path: 'a', expression }))),
      [
        `${at}[0] and ${at}[1] have the same path "a"`,
        `${at}[0] and ${at}[2] have the same path "a"`,
      ],
    ],
    [
      'an unknown field of a reference',
      withPatches({ path: 'a', reference: { ...reference, group: 'x' } }),
      [`${at}[0].reference has the unknown field group`],
    ],
    [
      'texts that are none',
      withPatches({ path: 1, expression: 2 }),
      [
        `${at}[0].expression must be a text`,
        `${at}[0].path must be a text`,
        `${at}[0] need to use one of: expression, labels or reference`,
      ],
    ],
    [
      'a patch that is no map',
      withPatches('x'),
      [
        `${at}[0] must be a map`,
        `${at}[0].path is required`,
        `${at}[0] need to use one of: expression, labels or reference`,
      ],
    ],
    [
      'patches that are no list',
      { sync: { toHost: { endpoints: { patches: {} } } } },
      [`${at} must be a list`],
    ],
    [
      'unknown fields of namespaces and mappings',
      { sync: { toHost: { namespaces: { all: true, mappings: { byLabel: {} } } } } },
      [
        'sync.toHost.namespaces has the unknown field all',
        'sync.toHost.namespaces.mappings has the unknown field byLabel',
      ],
    ],
    [
      'namespaces of wrong types',
      {
        sync: {
          toHost: {
            namespaces: { mappingsOnly: 1, extraLabels: { a: 1 }, mappings: { byName: [] } },
          },
        },
      },
      [
        'sync.toHost.namespaces.mappings.byName must be a map',
        'sync.toHost.namespaces.mappingsOnly must be true or false',
        'sync.toHost.namespaces.extraLabels[a] must be a text',
      ],
    ],
    [
      'a mapping to nothing, and one with two stars',
      { sync: { toHost: { namespaces: { mappings: { byName: { a: '', '*-*': '*-*' } } } } } },
      [
        'sync.toHost.namespaces.mappings.byName needs a name on both sides',
        'sync.toHost.namespaces.mappings.byName[*-*] needs one * on both sides, or none',
      ],
    ],
    [
      'sections that are no maps',
      { sync: { toHost: { endpoints: [], services: 'x' } } },
      ['sync.toHost.endpoints must be a map', 'sync.toHost.services must be a map'],
    ],
    [
      'an unknown field',
      withPatches({ path: 'a', expression: '1', when: 'now' }),
      [`${at}[0] has the unknown field when`],
    ],
    [
      'no boolean',
      { sync: { toHost: { endpoints: { enabled: 'yes' } } } },
      ['sync.toHost.endpoints.enabled must be true or false'],
    ],
    [
      'an unknown switch',
      { sync: { toHost: { services: { on: true } } } },
      ['sync.toHost.services has the unknown field on'],
    ],
    [
      'a mapping with one star',
      { sync: { toHost: { namespaces: { mappings: { byName: { 'a-*': 'b' } } } } } },
      ['sync.toHost.namespaces.mappings.byName[a-*] needs one * on both sides, or none'],
    ],
    [
      'services too',
      { sync: { toHost: { services: { patches: [{ path: 'a' }] } } } },
      ['sync.toHost.services.patches[0] need to use one of: expression, labels or reference'],
    ],
    ['no map', 'text', ['the configuration must be a map']],
  ]
  for (const [name, given, problems] of cases) {
    it(`refuses ${name} (facts 6.2)`, () => {
      expect(problemsOf(given)).to.deep.equal(problems)
    })
  }

  const defaults = { endpoints: true, services: true, namespaces: false }
  const merged: [name: string, toHost: unknown, want: typeof defaults][] = [
    ['nothing', undefined, defaults],
    ['null', null, defaults],
    ['null sections', { endpoints: null, services: null, namespaces: null }, defaults],
    ['empty sections', { endpoints: {}, services: {}, namespaces: {} }, defaults],
    ['null switches', { endpoints: { enabled: null } }, defaults],
    ['a switch', { services: { enabled: false } }, { ...defaults, services: false }],
    [
      'patches without a switch',
      { endpoints: { patches: [{ path: 'a', expression: '1' }] } },
      defaults,
    ],
    ['other sections', { pods: { enabled: false }, endpointSlices: {} }, defaults],
  ]
  for (const [name, toHost, want] of merged) {
    it(`${name} of sync.toHost: the defaults fill in the rest (facts 6.1)`, () => {
      const { endpoints, services, namespaces } = readSyncConfig({ sync: { toHost } })
      expect({
        endpoints: endpoints.enabled,
        services: services.enabled,
        namespaces: namespaces.enabled,
      }).to.deep.equal(want)
    })
  }

  it('an empty path means the whole object (facts 6.2)', () => {
    expect(problemsOf(withPatches({ path: '', expression: 'value' }))).to.deep.equal([])
  })
})
