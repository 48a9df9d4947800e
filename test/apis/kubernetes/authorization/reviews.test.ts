import { expect } from 'chai'
import { authorizationResources } from '../../../../apiserver/apis/kubernetes/authorization/reviewResources.ts'
import { PlaneAuthorizer } from '../../../../apiserver/authorization/planeAuthorizer.ts'
import { defaultNames } from '../../../../apiserver/meta/names/namesProfile.ts'
import type { ApiObject, UserInfo } from '../../../../apiserver/meta/types.ts'
import type { ResourceDefinition } from '../../../../apiserver/registry/resource.ts'
import { create } from '../../../support/stores.ts'
import { refusal } from '../../../support/refusal.ts'
import {
  binding,
  contextOf,
  openRights,
  role,
  user,
  type Rights,
} from '../../../authorization/rbac/rights.ts'

const apiVersion = 'authorization.k8s.io/v1'

describe('access reviews', () => {
  let rights: Rights
  let kinds: ReturnType<typeof authorizationResources>
  const rule = { verbs: ['get'], apiGroups: [''], resources: ['configmaps'] }
  const paths = { verbs: ['get'], nonResourceURLs: ['/a/*'] }

  before(async () => {
    rights = await openRights()
    const authorizer = new PlaneAuthorizer({
      rbac: rights.authorizer,
      ownership: [],
      scopeAllows: ({ verb }) => ({ allowed: verb === 'list', reason: 'out of scope' }),
    })
    kinds = authorizationResources(defaultNames, () => authorizer)
    await create(rights.rbac.clusterRoles, role('r', [rule, paths]))
    await create(
      rights.rbac.clusterRoleBindings,
      binding('b', 'ClusterRole r', ['User ann', 'Group g']),
    )
    await create(rights.rbac.roleBindings, binding('c', 'ClusterRole r', ['User bob'], 'n'))
  })

  after(() => rights.stores.close())

  async function ask(
    kind: ResourceDefinition,
    spec: unknown,
    who: UserInfo = user('ann'),
    metadata: ApiObject['metadata'] = {},
  ): Promise<ApiObject> {
    const object = { kind: kind.kind, apiVersion, metadata, spec }
    const namespace = kind.namespaced ? 'n' : ''
    const request = { ...contextOf(who), namespace, name: '', query: new URLSearchParams() }
    const answer = await kind.answers?.create?.(object, request)
    if (answer === undefined) throw new Error('the kind does not answer')
    return answer
  }

  const resourceAttributes = { verb: 'get', resource: 'configmaps', namespace: 'n', name: 'a' }
  const allowed = 'RBAC: allowed by ClusterRoleBinding "b" of ClusterRole "r" to User "ann"'

  it('SelfSubjectAccessReview decides for the caller (reference 7.9)', async () => {
    const spec = { resourceAttributes }
    expect(await ask(kinds.selfAccessReviews, spec)).to.deep.equal({
      kind: 'SelfSubjectAccessReview',
      apiVersion,
      metadata: {},
      spec,
      status: { allowed: true, reason: allowed },
    })
    expect((await ask(kinds.selfAccessReviews, spec, user('zoe')))['status']).to.deep.equal({
      allowed: false,
    })
  })

  const unread: [what: string, fieldSelector: object, part: string][] = [
    [
      'an operator that fields do not have',
      { requirements: [{ key: 'a', operator: 'Exists' }] },
      '',
    ],
    [
      'one of two requirements',
      {
        requirements: [
          { key: 'a', operator: 'In', values: ['b'] },
          { key: 'b', operator: 'Like', values: ['c'] },
        ],
      },
      'partially ',
    ],
    ['a text', { rawSelector: 'a' }, ''],
  ]
  for (const [what, fieldSelector, part] of unread) {
    it(`SelfSubjectAccessReview reports that it ignores ${what}`, async () => {
      const spec = { resourceAttributes: { ...resourceAttributes, fieldSelector } }
      const { status } = await ask(kinds.selfAccessReviews, spec)
      expect(status).to.deep.include({
        allowed: true,
        evaluationError: `spec.resourceAttributes.fieldSelector ${part}ignored due to parse error`,
      })
    })
  }

  it('SelfSubjectAccessReview decides non-resource paths (reference 7.9)', async () => {
    const spec = { nonResourceAttributes: { path: '/a/b', verb: 'get' } }
    expect((await ask(kinds.selfAccessReviews, spec))['status']).to.deep.equal({
      allowed: true,
      reason: allowed,
    })
  })

  it('SelfSubjectAccessReview respects the scope of the credential (spec auth.4)', async () => {
    const scoped = { ...user('ann'), credential: { scope: { roles: [] } } }
    const spec = { resourceAttributes }
    expect((await ask(kinds.selfAccessReviews, spec, scoped))['status']).to.deep.equal({
      allowed: false,
      reason: 'out of scope',
    })
    const rules = await ask(kinds.selfRulesReviews, { namespace: 'n' }, scoped)
    expect(rules['status']).to.deep.include({
      incomplete: true,
      evaluationError: 'the scope of the credential narrows these rules',
    })
  })

  it('SubjectAccessReview respects the scope in the extra attributes (spec auth.4)', async () => {
    const asked = (verb: string, text: string) => {
      const extra = { 'platform/scope': [text] }
      const spec = { resourceAttributes: { ...resourceAttributes, verb }, user: 'ann', extra }
      return ask(kinds.accessReviews, spec, user('zoe'))
    }
    expect((await asked('get', '{"roles":[]}'))['status']).to.deep.equal({
      allowed: false,
      reason: 'out of scope',
    })
    expect(await refusal(asked('get', 'all'))).to.deep.include({
      code: 400,
      message: 'extra platform/scope is not a scope',
    })
  })

  it('does not allow a list that would show only some of the objects', async () => {
    const part = { allowed: true, reason: 'some', shows: () => true }
    const { accessReviews, selfAccessReviews } = authorizationResources(defaultNames, () => ({
      authorize: () => part,
      rulesFor: async () => ({ rules: [], problems: [], isIncomplete: false }),
    }))
    const spec = { resourceAttributes: { verb: 'list', resource: 'configmaps' } }
    const another = await ask(accessReviews, { ...spec, user: 'bob' })
    expect(another['status']).to.deep.include({ allowed: false })
    expect((await ask(selfAccessReviews, spec))['status']).to.deep.include({ allowed: true })
  })

  it('SubjectAccessReview decides for another user, or for a group alone (reference 7.9)', async () => {
    const reasonOf = async (subject: object) => {
      const spec = { resourceAttributes, ...subject }
      return (await ask(kinds.accessReviews, spec, user('zoe')))['status']
    }
    expect(await reasonOf({ user: 'ann' })).to.deep.equal({ allowed: true, reason: allowed })
    expect(await reasonOf({ groups: ['g'] })).to.deep.equal({
      allowed: true,
      reason: allowed.replace('User "ann"', 'Group "g"'),
    })
    expect(await reasonOf({ user: 'zoe', groups: ['system:masters'] })).to.deep.equal({
      allowed: true,
    })
  })

  it('LocalSubjectAccessReview decides in its namespace (reference 7.9)', async () => {
    const spec = { resourceAttributes, user: 'bob' }
    const answer = await ask(kinds.localAccessReviews, spec)
    expect([answer.metadata, answer['status']]).to.deep.equal([
      { namespace: 'n' },
      {
        allowed: true,
        reason: 'RBAC: allowed by RoleBinding "c/n" of ClusterRole "r" to User "bob"',
      },
    ])
  })

  it('SelfSubjectRulesReview lists rules of resources and paths (reference 7.9)', async () => {
    const answer = await ask(kinds.selfRulesReviews, { namespace: 'n' })
    expect([answer.metadata, answer['spec']]).to.deep.equal([{}, {}])
    expect(answer['status']).to.deep.equal({
      resourceRules: [rule],
      nonResourceRules: [paths],
      incomplete: false,
    })
  })

  it('SelfSubjectRulesReview of a superuser lists everything (reference 7.9)', async () => {
    const answer = await ask(
      kinds.selfRulesReviews,
      { namespace: 'n' },
      user('m', 'system:masters'),
    )
    expect(answer['status']).to.deep.equal({
      resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
      nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
      incomplete: false,
    })
  })

  it('SelfSubjectRulesReview without a namespace: 400 (reference 7.9)', async () => {
    expect(await refusal(ask(kinds.selfRulesReviews, {}))).to.deep.include({
      code: 400,
      message: 'no namespace on request',
    })
  })

  const nonResourceAttributes = { path: '/', verb: 'get' }
  const cases: [string, 'self' | 'subject' | 'local', object, ApiObject['metadata'], string[]][] = [
    [
      'nothing asked',
      'self',
      {},
      {},
      [
        'spec: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified',
      ],
    ],
    [
      'both asked',
      'self',
      { resourceAttributes, nonResourceAttributes },
      {},
      [
        'spec: Invalid value: {"Path":"/","Verb":"get"}: exactly one of nonResourceAttributes or resourceAttributes must be specified',
      ],
    ],
    [
      'metadata',
      'self',
      { resourceAttributes },
      { name: 'x' },
      ['metadata: Invalid value: {"name":"x"}: must be empty'],
    ],
    [
      'nobody named',
      'subject',
      { resourceAttributes },
      {},
      ['spec.user: Invalid value: "": at least one of user or group must be specified'],
    ],
    [
      'another namespace',
      'local',
      { resourceAttributes: { ...resourceAttributes, namespace: 'm' }, user: 'a' },
      {},
      ['spec.resourceAttributes.namespace: Invalid value: "m": must match metadata.namespace'],
    ],
    [
      'a path in a namespace',
      'local',
      { nonResourceAttributes, user: 'a' },
      {},
      [
        'spec.nonResourceAttributes: Invalid value: {"Path":"/","Verb":"get"}: disallowed on this kind of request',
      ],
    ],
  ]
  const selecting = (selectors: object) => ({
    resourceAttributes: { ...resourceAttributes, ...selectors },
  })
  const selector = 'spec.resourceAttributes.fieldSelector'
  const equal = { key: 'a', operator: 'In', values: ['b'] }
  cases.push(
    [
      'a selector as text and as requirements',
      'self',
      selecting({ fieldSelector: { rawSelector: 'a=b', requirements: [equal] } }),
      {},
      [
        `${selector}.rawSelector: Invalid value: "a=b": may not specified at the same time as requirements`,
      ],
    ],
    [
      'a selector of nothing',
      'self',
      selecting({ fieldSelector: {} }),
      {},
      [
        `${selector}.requirements: Required value: when ${selector} is specified, requirements or rawSelector is required`,
      ],
    ],
    [
      'requirements without values or key, but not of an unknown operator',
      'self',
      selecting({
        labelSelector: {
          requirements: [
            { key: 'a', operator: 'In' },
            { key: 'b', operator: 'Like' },
          ],
        },
        fieldSelector: { requirements: [{ ...equal, key: '' }] },
      }),
      {},
      [
        `${selector}.requirements[0].key: Required value: must be specified`,
        "spec.resourceAttributes.labelSelector.requirements[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
      ],
    ],
  )
  for (const [what, which, spec, metadata, causes] of cases) {
    it(`${which}: ${what}: 422 (reference 7.9)`, async () => {
      const kind = {
        self: kinds.selfAccessReviews,
        subject: kinds.accessReviews,
        local: kinds.localAccessReviews,
      }[which]
      const refused = await refusal(ask(kind, spec, user('ann'), metadata))
      const found = (refused.details?.causes ?? []).map(
        ({ field, message }) => `${field}: ${message}`,
      )
      expect([refused.code, found]).to.deep.equal([422, causes])
    })
  }
})
