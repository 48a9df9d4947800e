import { expect } from 'chai'
import {
  bootstrapRoles,
  namespaceBootstrapRoles,
} from '../../apiserver/apis/kubernetes/rbac/bootstrapRoles.ts'
import { rulesOf, subjectsOf } from '../../apiserver/authorization/rbac/policyRule.ts'
import { defaultNames, namesProfile } from '../../apiserver/meta/names/namesProfile.ts'
import type { ApiObject } from '../../apiserver/meta/types.ts'
import { systemContext } from '../../apiserver/registry/systemContext.ts'
import { ensureRoles, startRoles } from '../../apiserver/controlPlane/startRoles.ts'
import { binding, openRights, request, user, type Rights } from '../authorization/rbac/rights.ts'
import { create } from '../support/stores.ts'

describe('ensureRoles', () => {
  let rights: Rights

  beforeEach(async () => {
    rights = await openRights()
    await ensureRoles(
      rights.rbac,
      startRoles(bootstrapRoles(defaultNames), namespaceBootstrapRoles),
    )
  })

  afterEach(() => rights.stores.close())

  const target = (name: string) => ({ namespace: '', name })
  const roleNamed = (name: string) => rights.rbac.clusterRoles.newest(target(name)).object
  const edit = (name: string, transform: (old: ApiObject) => ApiObject) =>
    rights.rbac.clusterRoles.update(target(name), { transform }, systemContext())

  it('creates the roles of the platform under its names (facts 7.2)', () => {
    const names = bootstrapRoles(namesProfile({ platform: 'acme' })).map(({ name }) => name)
    expect(names).to.include.members([
      'cluster-admin',
      'acme-management-admin',
      'acme-management-project-admin',
      'acme-cluster-admin',
      'acme-cluster-space-admin',
    ])
  })

  it('creates aggregated roles with the rules that they would aggregate', () => {
    const view = rulesOf(roleNamed('system:aggregate-to-view'))
    const edited = rulesOf(roleNamed('system:aggregate-to-edit'))
    expect(rulesOf(roleNamed('view'))).to.deep.equal(view)
    expect(rulesOf(roleNamed('edit'))).to.have.deep.members([...edited, ...view])
    expect(rulesOf(roleNamed('admin')).length).to.be.above(edited.length + view.length)
  })

  const cases: [string, string[], string, boolean][] = [
    ['a', ['system:authenticated'], 'get /apis/apps/v1', true],
    ['a', ['system:authenticated'], 'get /openapi/v3', true],
    ['a', ['system:authenticated'], 'create authorization.k8s.io/selfsubjectaccessreviews', true],
    ['a', ['system:authenticated'], 'create authentication.k8s.io/selfsubjectreviews', true],
    ['a', ['system:authenticated'], 'create management.platform/selves', true],
    ['a', ['system:authenticated'], 'create management.platform/ownedaccesskeys', true],
    ['a', ['system:authenticated'], 'create management.platform/directclusterendpointtokens', true],
    ['a', ['system:authenticated'], 'list apiextensions.k8s.io/customresourcedefinitions', true],
    ['a', ['system:authenticated'], 'list management.platform/users', false],
    ['a', ['system:authenticated'], 'list management.platform/ownedaccesskeys', false],
    ['a', ['system:unauthenticated'], 'get /version', true],
    ['a', ['system:unauthenticated'], 'get /apis', false],
    ['a', ['system:unauthenticated'], 'create management.platform/selves', false],
  ]
  for (const [name, groups, text, allowed] of cases) {
    it(`${groups.join()} ${allowed ? 'may' : 'may not'} ${text} (facts 7.2)`, () => {
      const decision = rights.authorizer.authorize(request(user(name, ...groups), text))
      expect(decision.allowed).to.equal(allowed)
    })
  }

  it('its holder may do what a delegating server does (reference 9.3)', async () => {
    const { clusterRoleBindings, roleBindings } = rights.rbac
    const delegator = binding('ext', 'ClusterRole system:auth-delegator', ['User ext'])
    await create(clusterRoleBindings, delegator)
    const role = 'Role extension-apiserver-authentication-reader'
    await create(roleBindings, binding('reader', role, ['User reader'], 'kube-system'))
    const may = (name: string, text: string) =>
      rights.authorizer.authorize(request(user(name), text)).allowed
    expect([
      may('ext', 'create authentication.k8s.io/tokenreviews'),
      may('ext', 'create authorization.k8s.io/subjectaccessreviews'),
      may('ext', 'create authorization.k8s.io/selfsubjectaccessreviews'),
      may('reader', 'watch core/configmaps kube-system/extension-apiserver-authentication'),
      may('reader', 'get core/configmaps kube-system/other'),
      may(
        'system:kube-scheduler',
        'get core/configmaps kube-system/extension-apiserver-authentication',
      ),
    ]).to.deep.equal([true, true, false, true, false, true])
  })

  it('writes nothing the second time', async () => {
    const { revision } = rights.stores.storage
    await ensureRoles(
      rights.rbac,
      startRoles(bootstrapRoles(defaultNames), namespaceBootstrapRoles),
    )
    expect(rights.stores.storage.revision).to.equal(revision)
  })

  it('restores removed rules, and keeps added ones', async () => {
    const own = { verbs: ['get'], nonResourceURLs: ['/mine'] }
    await edit('system:basic-user', (old) => ({ ...old, rules: [own] }))
    await ensureRoles(
      rights.rbac,
      startRoles(bootstrapRoles(defaultNames), namespaceBootstrapRoles),
    )
    const verbs = rulesOf(roleNamed('system:basic-user'))
    expect(verbs[0]).to.deep.equal(own)
    expect(verbs.length).to.equal(4)
  })

  it('restores removed subjects', async () => {
    await rights.rbac.clusterRoleBindings.update(
      target('system:discovery'),
      { transform: (old) => ({ ...old, subjects: [] }) },
      systemContext(),
    )
    await ensureRoles(
      rights.rbac,
      startRoles(bootstrapRoles(defaultNames), namespaceBootstrapRoles),
    )
    const { object } = rights.rbac.clusterRoleBindings.newest(target('system:discovery'))
    expect(subjectsOf(object).map(({ name }) => name)).to.deep.equal(['system:authenticated'])
  })

  it('leaves objects that opt out unchanged', async () => {
    const annotations = { 'rbac.authorization.kubernetes.io/autoupdate': 'false' }
    await edit('system:basic-user', (old) => ({
      ...old,
      metadata: { ...old.metadata, annotations },
      rules: [],
    }))
    await ensureRoles(
      rights.rbac,
      startRoles(bootstrapRoles(defaultNames), namespaceBootstrapRoles),
    )
    expect(rulesOf(roleNamed('system:basic-user'))).to.deep.equal([])
  })
})
