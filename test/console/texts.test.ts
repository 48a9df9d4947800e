import { expect } from 'chai'
import { appliedConfig, fieldValue, withoutFields } from '../../console/api/applied.ts'
import type { Kind } from '../../console/api/kinds.ts'
import { Rights } from '../../console/api/rights.ts'
import { referenceKey, referencesOf } from '../../console/details/references.ts'
import { lineDiff } from '../../console/editor/lineDiff.ts'
import { isSame, threeWay } from '../../console/editor/merge.ts'
import { parseYaml, placeOf, yamlOf } from '../../console/editor/yaml.ts'
import { quantity } from '../../console/parts/quantity.ts'
import { isComplete, newEntry, scopeOf } from '../../console/platform/scopeEntries.ts'
import { scopeWords } from '../../console/platform/scopeWords.ts'
import { RowOrder } from '../../console/tables/columns.ts'
import { filterQuery, parseFilter } from '../../console/tables/filters.ts'
import { grantIn } from '../../console/understand/decisions.ts'
import { Samples } from '../../console/understand/metricsText.ts'
import type { Row } from '../../console/watch/shapes.ts'

describe('parseFilter', () => {
  for (const [text, words, labelSelector, fieldSelector] of [
    ['', [], '', ''],
    ['Web front', ['web', 'front'], '', ''],
    ['app=web db', ['db'], 'app=web', ''],
    ['app!=web example.dev/tier==a', [], 'app!=web,example.dev/tier==a', ''],
    ['tier in (a, b) x', ['x'], 'tier in (a, b)', ''],
    [
      'field:status.phase=Running field:metadata.name!=x',
      [],
      '',
      'status.phase=Running,metadata.name!=x',
    ],
    ['field:broken <b>=x', ['<b>=x'], '', ''],
  ] as const)
    it(`reads ${JSON.stringify(text)}`, () => {
      expect(parseFilter(text)).to.deep.equal({ words, labelSelector, fieldSelector })
    })

  it('sends only selectors to the server', () => {
    expect(filterQuery(parseFilter('web app=a'))).to.deep.equal({ labelSelector: 'app=a' })
  })
})

describe('threeWay', () => {
  it('joins changes of different fields, additions and deletions', () => {
    const base = { a: 1, b: { c: 1, d: 1 }, e: 1, f: 1 }
    const mine = { a: 2, b: { c: 1, d: 1 }, f: 1 }
    const theirs = { a: 1, b: { c: 2, d: 1, g: 1 }, e: 1 }
    expect(threeWay(base, mine, theirs)).to.deep.equal({
      value: { a: 2, b: { c: 2, d: 1, g: 1 } },
      conflicts: [],
    })
  })

  it('keeps mine where both changed, and names the path', () => {
    const { value, conflicts } = threeWay({ a: { b: [1] } }, { a: { b: [2] } }, { a: { b: [3] } })
    expect([value, conflicts]).to.deep.equal([{ a: { b: [2] } }, ['a.b']])
  })

  it('does not take inherited members for fields', () => {
    const theirs = JSON.parse('{"constructor": {"x": 1}}') as object
    expect(threeWay({}, { a: 1 }, theirs).conflicts).to.deep.equal([])
    expect(isSame({ a: 1 }, { toString: 1 })).to.equal(false)
  })
})

describe('lineDiff', () => {
  const kinds = (before: string, after: string) =>
    lineDiff(before, after).map(({ kind, text }) => `${kind[0]} ${text}`)

  it('marks added and removed lines and keeps the rest', () => {
    expect(kinds('a\nb\nc', 'a\nx\nc\nd')).to.deep.equal(['s a', 'r b', 'a x', 's c', 'a d'])
  })

  it('is quick for long texts without a common line', () => {
    const [before, after] = ['a', 'b'].map((letter) =>
      Array.from({ length: 20_000 }, (_, at) => `${letter}${at}`).join('\n'),
    )
    expect(lineDiff(before ?? '', after ?? '').length).to.equal(40_000)
  })
})

describe('YAML of objects', () => {
  const object = { apiVersion: 'v1', metadata: { name: 'a', managedFields: [{ manager: 'x' }] } }

  it('puts what every object has first and the status last, wherever the server put them', () => {
    const mixed = {
      status: { phase: 'Ready' },
      spec: { b: 1, a: 2 },
      metadata: { uid: 'u', labels: { x: 'y' }, name: 'a' },
      kind: 'Any',
      apiVersion: 'v1',
    }
    expect(
      yamlOf(mixed)
        .match(/^ *\w+(?=:)/gm)
        ?.map((key) => key.trim()),
    ).to.deep.equal('apiVersion kind metadata name labels x uid spec b a status phase'.split(' '))
  })

  it('leaves managed fields out', () => {
    expect(yamlOf(object)).to.equal('apiVersion: v1\nmetadata:\n  name: a\n')
  })

  for (const text of ['a: [', '- a', 'text', 'a: 1\na: 2', 'kind: X'])
    it(`refuses ${JSON.stringify(text)} with a place`, () => {
      const parsed = parseYaml(text)
      expect('problems' in parsed && parsed.problems.length).to.be.greaterThan(0)
    })

  it('refuses a text that grows without bound', () => {
    const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]']
    for (let level = 1; level < 9; level++) {
      const last = `*a${level - 1}`
      lines.push(`a${level}: &a${level} [${Array(10).fill(last).join(', ')}]`)
    }
    expect('problems' in parseYaml(`metadata: {}\n${lines.join('\n')}`)).to.equal(true)
  })

  it('finds fields, list items and, for those that are absent, the nearest parent', () => {
    const text = 'spec:\n  ports:\n    - port: 1\n      name: x\n'
    const found = (field: string) => {
      const { from, to } = placeOf(text, field)
      return text.slice(from, to)
    }
    expect(found('spec.ports[0].name')).to.equal('name')
    expect(found('spec.ports[0].protocol')).to.equal(text.slice(text.indexOf('port: 1')))
    expect(found('spec.absent')).to.equal('spec')
  })
})

describe('Rights', () => {
  const rights = new Rights(
    [
      { verbs: ['get'], apiGroups: [''], resources: ['secrets'], resourceNames: ['one'] },
      { verbs: ['*'], apiGroups: ['apps'], resources: ['*'] },
      { verbs: ['create'], apiGroups: [''], resources: ['*/scale'] },
    ],
    false,
  )
  const core = { group: '', plural: 'secrets' }

  it('follow names, groups, wildcards and subresources', () => {
    expect(rights.allow('get', core, { name: 'one' })).to.equal(true)
    expect(rights.allow('get', core, { name: 'two' })).to.equal(false)
    expect(rights.allow('list', core)).to.equal(false)
    expect(rights.allow('delete', { group: 'apps', plural: 'deployments' })).to.equal(true)
    expect(rights.allow('create', core, { subresource: 'scale' })).to.equal(true)
    expect(rights.allow('create', core, { subresource: 'status' })).to.equal(false)
  })

  it('leave the decision to the request if the server could not list them', () => {
    expect(new Rights([], true).allow('list', core)).to.equal(true)
  })
})

describe('scopeWords', () => {
  it('says what a scope allows', () => {
    expect(scopeWords(undefined)).to.deep.equal(['Everything that its user may do.'])
    expect(scopeWords({ projects: [{ project: 'shop' }, { project: '*' }] })).to.deep.equal([
      'Projects: shop, any.',
    ])
    const rule = {
      verbs: ['get'],
      resources: [{ group: 'apps', resources: ['deployments'] }],
      namespaces: ['a'],
    }
    expect(scopeWords({ rules: [rule] })).to.deep.equal(['get deployments of apps in a.'])
    expect(
      scopeWords({ virtualClusters: [{ project: 'shop', virtualCluster: '*' }] }),
    ).to.deep.equal(['Virtual clusters: any of project shop.'])
    expect(scopeWords({ rules: [{ resources: [] }] })).to.deep.equal([
      'do anything with any resource.',
    ])
  })
})

describe('scopeOf', () => {
  const chosen = (...entries: ReturnType<typeof newEntry>[]) =>
    ({ reach: 'chosen', entries }) as const

  it('writes entries as the API has them', () => {
    const scope = scopeOf(
      chosen(
        { ...newEntry('project'), name: ' shop ' },
        { ...newEntry('space'), project: 'shop', name: '*' },
        { ...newEntry('rule'), resource: '/pods', namespaces: 'a, b' },
        { ...newEntry('rule'), verbs: [] },
      ),
    )
    expect(scope).to.deep.equal({
      projects: [{ project: 'shop' }],
      spaces: [{ project: 'shop', space: '*' }],
      rules: [
        {
          verbs: ['get', 'list', 'watch'],
          resources: [{ group: '', resources: ['pods'] }],
          namespaces: ['a', 'b'],
        },
        { verbs: [], resources: [{ group: '*', resources: ['*'] }] },
      ],
    })
  })

  it('is complete only with names, since an empty scope limits nothing', () => {
    const instance = newEntry('virtualCluster')
    expect(isComplete(chosen())).to.equal(false)
    expect(isComplete(chosen({ ...instance, name: 'web' }))).to.equal(false)
    expect(isComplete(chosen({ ...instance, name: 'web', project: 'shop' }))).to.equal(true)
    expect(isComplete({ reach: 'read', entries: [] })).to.equal(true)
  })
})

describe('quantity', () => {
  for (const [text, value] of [
    ['4Gi', 4 * 2 ** 30],
    ['500m', 0.5],
    ['1e3', 1000],
    ['2k', 2000],
    [7, 7],
  ] as const)
    it(`reads ${text}`, () => expect(quantity(text)).to.equal(value))

  it('is not a number without one', () => expect(quantity('many')).to.be.NaN)
})

describe('referencesOf', () => {
  const kind = (group: string, plural: string, name: string, namespaced = true): Kind => ({
    ...{ group, plural, kind: name, namespaced, version: 'v1', shortNames: [] },
    ...{ verbs: new Set(['list']), subresources: new Map() },
  })
  const roles = kind('rbac.authorization.k8s.io', 'clusterroles', 'ClusterRole', false)
  const [secrets, services] = [kind('', 'secrets', 'Secret'), kind('', 'services', 'Service')]
  const accounts = kind('', 'serviceaccounts', 'ServiceAccount')
  const shared = kind('management.platform', 'sharedsecrets', 'SharedSecret')
  const kinds = [roles, secrets, services, accounts, shared]
  const found = (object: object, metadata = {}) =>
    referencesOf(
      secrets,
      { metadata: { name: 'x', namespace: 'a', ...metadata }, ...object },
      kinds,
    ).map(referenceKey)

  it('finds secrets of pods, services of ingresses, and roles with their subjects', () => {
    const spec = {
      imagePullSecrets: [{ name: 'pull' }],
      volumes: [{ secret: { secretName: 'files' } }],
      rules: [
        { http: { paths: [{ backend: { service: { name: 'web', port: { number: 80 } } } }] } },
      ],
    }
    expect(found({ spec })).to.deep.equal([
      '/secrets/a/pull',
      '/secrets/a/files',
      '/services/a/web',
    ])
    const binding = {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
      subjects: [{ kind: 'ServiceAccount', name: 'robot', namespace: 'b' }],
    }
    expect(found(binding)).to.deep.equal([
      'rbac.authorization.k8s.io/clusterroles//view',
      '/serviceaccounts/b/robot',
    ])
  })

  it('finds the shared secret of a copy, also of another namespace', () => {
    const labels = { 'platform/sharedsecret-name': 's', 'platform/sharedsecret-namespace': 'b' }
    expect(found({}, { labels })).to.deep.equal(['management.platform/sharedsecrets/b/s'])
  })
})

describe('RowOrder', () => {
  const column = (name: string, index: number) => ({
    ...{
      name,
      index,
      description: '',
      isNumber: false,
      isAge: false,
      isName: false,
      isExtra: false,
    },
  })
  const row = (name: string, value: string) => ({
    cells: [value],
    object: { metadata: { name, uid: name } },
  })
  const names = (rows: readonly Row[]) => rows.map(({ object }) => object.metadata.name).join('')

  it('keeps held rows in their places while values change, and sorts new ones in', () => {
    const order = new RowOrder()
    const by = (rows: Row[], isHeld: boolean) =>
      names(order.sorted(rows, column('Value', 0), { isDescending: false, isHeld }))
    expect(by([row('a', '1'), row('b', '2')], false)).to.equal('ab')
    expect(by([row('a', '3'), row('b', '2')], true)).to.equal('ab')
    expect(by([row('a', '3'), row('b', '2'), row('c', '15'), row('d', '0')], true)).to.equal('dabc')
    expect(by([row('a', '3'), row('b', '2'), row('d', '0')], false)).to.equal('dba')
  })
})

describe('grantIn', () => {
  it('reads role and binding, also of one namespace', () => {
    const reason =
      'RBAC: allowed by RoleBinding "readers/shop" of ClusterRole "view" to Group "platform:team:a"'
    expect(grantIn(reason)).to.deep.equal({
      ...{ bindingKind: 'RoleBinding', binding: 'readers', namespace: 'shop' },
      ...{ roleKind: 'ClusterRole', role: 'view' },
      ...{ subjectKind: 'Group', subject: 'platform:team:a' },
    })
    expect(
      grantIn('RBAC: allowed by ClusterRoleBinding "all" of ClusterRole "x" to User "u"'),
    ).to.include({
      binding: 'all',
      namespace: '',
    })
    expect(grantIn('allowed by ownership')).to.equal(undefined)
  })
})

describe('Samples of metrics', () => {
  const samples = new Samples(
    '# HELP a_total x\na_total{code="200",verb="GET"} 3\na_total{code="404"} 4\na_total_more 9\nb NaN\nc 1e3\n',
  )

  it('are summed by name and label, and never by a longer name', () => {
    expect(samples.sum('a_total')).to.equal(7)
    expect(samples.sum('a_total', { code: '404' })).to.equal(4)
    expect(samples.sum('c')).to.equal(1000)
    expect([samples.sum('b'), samples.sum('d')]).to.deep.equal([undefined, undefined])
  })
})

describe('Applied configurations', () => {
  const object = {
    apiVersion: 'v1',
    metadata: { name: 'a', uid: '1', resourceVersion: '5', creationTimestamp: 'x' },
    spec: { list: [{ name: 'one', image: 'x' }, { name: 'two' }], map: { 'a.b': '1' } },
    status: {},
  }

  it('leave out what only the server sets, and fields that stay with their owners', () => {
    const config = appliedConfig(object)
    expect(config.metadata).to.deep.equal({ name: 'a', resourceVersion: '5' })
    const fields = ['.spec.list[name="one"].image', '.spec.map.["a.b"]', '.spec.absent.x']
    expect(withoutFields(config, fields)['spec']).to.deep.equal({
      list: [{ name: 'one' }, { name: 'two' }],
      map: {},
    })
    expect(fieldValue(object, '.spec.list[name="one"].image')).to.equal('x')
  })
})
