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
  it('spec sync.enabled: endpoints and services are synced by default', () => {
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

  it('spec sync.context: the configuration is merged with the defaults', () => {
    const { document } = readSyncConfig({
      sync: { toHost: { endpoints: { enabled: false } } },
      other: { a: 1 },
    })
    expect(document).to.deep.equal({
      other: { a: 1 },
      sync: {
        toHost: {
          services: { enabled: true, patches: [] },
          endpoints: { enabled: false, patches: [] },
          secrets: { enabled: true },
          configMaps: { enabled: true },
          namespaces: {
            enabled: false,
            patches: [],
            mappings: { byName: {} },
            mappingsOnly: false,
            extraLabels: {},
          },
        },
      },
    })
  })

  it('takes every field of a patch', () => {
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

  it('contradiction 3: labels may stand in the reference too', () => {
    const { endpoints } = readSyncConfig(
      withPatches({ path: 'spec.selector', reference: { labels: {} } }),
    )
    expect(endpoints.patches).to.deep.equal([{ path: 'spec.selector', labels: {} }])
  })

  it('reads whether kinds are synced where something refers to them', () => {
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
    it(`facts 6.2: refuses ${name}`, () => {
      expect(problemsOf(given)).to.deep.equal(problems)
    })
  }

  it('facts 6.2: an empty path means the whole object', () => {
    expect(problemsOf(withPatches({ path: '', expression: 'value' }))).to.deep.equal([])
  })
})
