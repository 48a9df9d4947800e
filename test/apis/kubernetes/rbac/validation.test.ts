import { expect } from 'chai'
import { setBindingDefaults } from '../../../../apiserver/apis/kubernetes/rbac/roleBindingRules.ts'
import { tableRow } from '../../../../apiserver/registry/table.ts'
import { create } from '../../../support/stores.ts'
import { refusal } from '../../../support/refusal.ts'
import { binding, openRights, role, type Rights } from '../../../authorization/rbac/rights.ts'

const group = 'rbac.authorization.k8s.io'

describe('roles', () => {
  let rights: Rights
  before(async () => {
    rights = await openRights()
  })
  after(() => rights.stores.close())

  const about = { apiGroups: [''], resources: ['a'] }
  const cases: [string, unknown, string[], string[]][] = [
    ['no verbs', { verbs: [], ...about }, ['rules[0].verbs: Required value'], []],
    [
      'no groups and no resources',
      { verbs: ['get'] },
      [
        'rules[0].apiGroups: Required value: resource rules must supply at least one api group',
        'rules[0].resources: Required value: resource rules must supply at least one resource',
      ],
      [],
    ],
    [
      'resources and paths',
      { verbs: ['get'], ...about, nonResourceURLs: ['/a'] },
      [
        'rules[0].nonResourceURLs: Invalid value: ["/a"]: rules cannot apply to both regular resources and non-resource URLs',
      ],
      [
        'rules[0].nonResourceURLs: Invalid value: ["/a"]: namespaced rules cannot apply to non-resource URLs',
      ],
    ],
    [
      'paths',
      { verbs: ['get'], nonResourceURLs: ['/a'] },
      [],
      [
        'rules[0].nonResourceURLs: Invalid value: ["/a"]: namespaced rules cannot apply to non-resource URLs',
      ],
    ],
  ]
  for (const [what, rule, everywhere, more] of cases) {
    it(`with ${what} (reference 7.8)`, async () => {
      const { roles, clusterRoles } = rights.rbac
      const causes = async (namespace: string | undefined) => {
        const store = namespace === undefined ? clusterRoles : roles
        const refused = await refusal(create(store, role('x', [rule], namespace)))
        return (refused.details?.causes ?? []).map(({ field, message }) => `${field}: ${message}`)
      }
      if (everywhere.length > 0) expect(await causes(undefined)).to.deep.equal(everywhere)
      expect(await causes('dev')).to.deep.equal([...more, ...everywhere])
    })
  }

  const selectorCases: [string, unknown, string[]][] = [
    [
      'no selector',
      [],
      [
        'aggregationRule.clusterRoleSelectors: Required value: at least one clusterRoleSelector required if aggregationRule is non-nil',
      ],
    ],
    [
      'an unknown operator',
      [{ matchExpressions: [{ key: 'a', operator: 'Odd' }] }],
      [
        'aggregationRule.clusterRoleSelectors[0].matchExpressions[0].operator: Invalid value: "Odd": not a valid selector operator',
        'aggregationRule.clusterRoleSelectors[0]: Invalid value: null: invalid label selector.',
      ],
    ],
    [
      'no values',
      [{ matchExpressions: [{ key: 'a', operator: 'In' }] }],
      [
        "aggregationRule.clusterRoleSelectors[0].matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
        'aggregationRule.clusterRoleSelectors[0]: Invalid value: null: invalid label selector.',
      ],
    ],
  ]
  for (const [what, clusterRoleSelectors, causes] of selectorCases) {
    it(`that aggregate rules, with ${what}: 422`, async () => {
      const object = { ...role('x', []), aggregationRule: { clusterRoleSelectors } }
      const refused = await refusal(create(rights.rbac.clusterRoles, object))
      const found = (refused.details?.causes ?? []).map(
        ({ field, message }) => `${field}: ${message}`,
      )
      expect(found).to.deep.equal(causes)
    })
  }

  it('without rules have null rules, and no generation', async () => {
    const { rules: _none, ...empty } = role('empty', [])
    const made = await create(rights.rbac.clusterRoles, empty)
    expect([made['rules'], made.metadata.generation]).to.deep.equal([null, undefined])
  })

  it('may have colons and capitals in their names', () =>
    create(rights.rbac.roles, role('system:A:b', [], 'dev')).then(() => undefined))
})

describe('role bindings', () => {
  let rights: Rights
  before(async () => {
    rights = await openRights()
  })
  after(() => rights.stores.close())

  const base = binding('x', 'Role r', [], 'dev')
  const ref = (change: object) => ({
    ...base,
    roleRef: { apiGroup: group, kind: 'Role', name: 'r', ...change },
  })
  const subjects = (...list: unknown[]) => ({ ...base, subjects: list })
  const cases: [string, object, string[]][] = [
    [
      'a role of another group',
      ref({ apiGroup: 'x' }),
      [`roleRef.apiGroup: Unsupported value: "x": supported values: "${group}"`],
    ],
    [
      'a role of another kind',
      ref({ kind: 'Rule' }),
      ['roleRef.kind: Unsupported value: "Rule": supported values: "Role", "ClusterRole"'],
    ],
    ['a role without a name', ref({ name: '' }), ['roleRef.name: Required value']],
    [
      'a role with a slash',
      ref({ name: 'a/b' }),
      [`roleRef.name: Invalid value: "a/b": may not contain '/'`],
    ],
    [
      'a subject of another kind',
      subjects({ kind: 'Robot', name: 'a' }),
      [
        'subjects[0].kind: Unsupported value: "Robot": supported values: "ServiceAccount", "User", "Group"',
      ],
    ],
    [
      'a user of another group',
      subjects({ kind: 'User', apiGroup: 'x', name: '' }),
      [
        `subjects[0].apiGroup: Unsupported value: "x": supported values: "${group}"`,
        'subjects[0].name: Required value',
      ],
    ],
    [
      'a service account of a group',
      subjects({ kind: 'ServiceAccount', apiGroup: 'x', name: 'a', namespace: 'n' }),
      ['subjects[0].apiGroup: Unsupported value: "x": supported values: ""'],
    ],
  ]
  for (const [what, object, causes] of cases) {
    it(`with ${what}: 422 (reference 7.8)`, async () => {
      const refused = await refusal(create(rights.rbac.roleBindings, { ...base, ...object }))
      const found = (refused.details?.causes ?? []).map(
        ({ field, message }) => `${field}: ${message}`,
      )
      expect(found).to.deep.equal(causes)
    })
  }

  it('of the cluster require a cluster role, and a namespace for a service account (reference 7.8)', async () => {
    const object = binding('x', 'Role r', ['ServiceAccount /a'])
    const refused = await refusal(create(rights.rbac.clusterRoleBindings, object))
    const found = (refused.details?.causes ?? []).map(
      ({ field, message }) => `${field}: ${message}`,
    )
    expect(found).to.deep.equal([
      'roleRef.kind: Unsupported value: "Role": supported values: "ClusterRole"',
      'subjects[0].namespace: Required value',
    ])
  })

  it('default the API groups of role and subjects', () => {
    const object = {
      ...base,
      roleRef: { kind: 'Role', name: 'r' },
      subjects: [
        { kind: 'User', name: 'a' },
        { kind: 'ServiceAccount', name: 'b' },
      ],
    }
    setBindingDefaults(object)
    expect([object.roleRef, object.subjects]).to.deep.equal([
      { kind: 'Role', name: 'r', apiGroup: group },
      [
        { kind: 'User', name: 'a', apiGroup: group },
        { kind: 'ServiceAccount', name: 'b' },
      ],
    ])
  })

  it('show role and subjects in a table', () => {
    const object = binding('x', 'Role r', ['User a', 'User b', 'Group g', 'ServiceAccount n/s'])
    const { cells } = tableRow(object, rights.kinds.roleBindings, { include: 'None', nowMs: 0 })
    expect(cells).to.deep.equal(['x', 'Role/r', '<unknown>', 'a, b', 'g', 'n/s'])
  })
})
