import { expect } from 'chai'
import type { ApiObject } from '../../../apiserver/meta/types.ts'
import type { Store } from '../../../apiserver/registry/store.ts'
import { canonical, change, create, put } from '../../support/stores.ts'
import { refusal } from '../../support/refusal.ts'
import { binding, contextOf, openRights, role, user, type Rights } from './rights.ts'

const read = { verbs: ['get'], apiGroups: [''], resources: ['configmaps'] }
const write = { verbs: ['update', 'delete'], apiGroups: [''], resources: ['configmaps'] }
const rbacGroup = 'rbac.authorization.k8s.io'

describe('escalation', () => {
  let rights: Rights
  const ann = user('ann', 'g')

  beforeEach(async () => {
    rights = await openRights()
    const { roles, clusterRoles, roleBindings } = rights.rbac
    await create(roles, role('read', [read], 'dev'))
    await create(roles, role('write', [write], 'dev'))
    await create(clusterRoles, role('write', [write]))
    await create(roleBindings, binding('ann', 'Role read', ['User ann'], 'dev'))
  })

  afterEach(() => rights.stores.close())

  const asAnn = (store: Store, object: ApiObject) =>
    store.create(canonical(object, store.resource), contextOf(ann))
  const give = async (rule: unknown) => {
    await create(rights.rbac.clusterRoles, role('given', [rule]))
    await create(
      rights.rbac.clusterRoleBindings,
      binding('given', 'ClusterRole given', ['User ann']),
    )
  }
  const missing = (what: string, ...lines: string[]) =>
    `${what} is forbidden: user "ann" (groups=["g"]) is attempting to grant RBAC permissions not currently held:\n${lines.join('\n')}`
  const writeLine = '{APIGroups:[""], Resources:["configmaps"], Verbs:["update" "delete"]}'

  it('rules that the author holds may be written (reference 7.8)', async () => {
    await asAnn(rights.rbac.roles, role('mine', [read], 'dev'))
  })

  it('rules beyond those are refused with 403 and the missing ones (reference 7.8)', async () => {
    const refused = await refusal(asAnn(rights.rbac.roles, role('mine', [read, write], 'dev')))
    expect(refused).to.deep.equal({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: missing(`roles.${rbacGroup} "mine"`, writeLine),
      reason: 'Forbidden',
      details: { name: 'mine', group: rbacGroup, kind: 'roles' },
      code: 403,
    })
  })

  it('bindings to roles that do not exist are named once each in the refusal', async () => {
    const { roles, roleBindings, clusterRoleBindings } = rights.rbac
    await create(roleBindings, binding('one', 'Role lost', ['User ann'], 'dev'))
    await create(clusterRoleBindings, binding('two', 'ClusterRole lost', ['User ann']))
    const refused = () => refusal(asAnn(roles, role('mine', [write], 'dev')))
    const lost = (name: string) => `roles.${rbacGroup} "${name}" not found`
    const what = missing(`roles.${rbacGroup} "mine"`, writeLine)
    expect((await refused()).message).to.equal(`${what}; resolution errors: [${lost('lost')}]`)
    await create(clusterRoleBindings, binding('three', 'ClusterRole gone', ['User ann']))
    expect((await refused()).message).to.equal(
      `${what}; resolution errors: [[${lost('lost')}, ${lost('gone')}]]`,
    )
  })

  it('rules held in other namespaces only are refused with 403 (reference 7.8)', async () => {
    const { roles, clusterRoles } = rights.rbac
    expect((await refusal(asAnn(roles, role('mine', [read], 'prod')))).code).to.equal(403)
    expect((await refusal(asAnn(clusterRoles, role('mine', [read])))).code).to.equal(403)
  })

  it('the verb escalate allows any rules (reference 7.8)', async () => {
    await give({ verbs: ['escalate'], apiGroups: [rbacGroup], resources: ['roles'] })
    await asAnn(rights.rbac.roles, role('mine', [write], 'dev'))
    expect((await refusal(asAnn(rights.rbac.clusterRoles, role('mine', [write])))).code).to.equal(
      403,
    )
  })

  it('a superuser may write any rules (reference 7.8)', async () => {
    const admin = contextOf(user('a', 'platform:admins'))
    await create(rights.rbac.clusterRoles, role('mine', [write]), admin)
  })

  it('an update is checked too, except for a change of owners only (reference 7.8)', async () => {
    const { roles } = rights.rbac
    const target = { namespace: 'dev', name: 'write' }
    const edit = (transform: (old: ApiObject) => ApiObject) =>
      roles.update(target, { transform }, contextOf(ann))
    const labelled = await refusal(
      edit((old) => ({ ...old, metadata: { ...old.metadata, labels: { a: 'b' } } })),
    )
    expect(labelled.message).to.equal(missing(`roles.${rbacGroup} "write"`, writeLine))
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: 'u' }]
    await edit((old) => ({ ...old, metadata: { ...old.metadata, ownerReferences } }))
  })

  it('an aggregated cluster role requires all rights (reference 7.8)', async () => {
    const rule = { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] }
    const object = { ...role('agg', []), aggregationRule: rule }
    const refused = await refusal(asAnn(rights.rbac.clusterRoles, object))
    expect(refused.message).to.equal(
      `clusterroles.${rbacGroup} "agg" is forbidden: must have cluster-admin privileges to use the aggregationRule`,
    )
  })

  it('removing aggregation requires all rights: 403', async () => {
    const { clusterRoles } = rights.rbac
    const rule = { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] }
    await create(clusterRoles, { ...role('agg', []), aggregationRule: rule })
    const transform = (old: ApiObject) => ({ ...role('agg', []), metadata: old.metadata })
    const edit = clusterRoles.update({ namespace: '', name: 'agg' }, { transform }, contextOf(ann))
    expect((await refusal(edit)).message).to.equal(
      `clusterroles.${rbacGroup} "agg" is forbidden: must have cluster-admin privileges to use the aggregationRule`,
    )
  })

  it('the verb escalate on a name does not allow creating a role of that name: 403', async () => {
    const rule = { verbs: ['escalate'], apiGroups: [rbacGroup], resources: ['roles'] }
    await give({ ...rule, resourceNames: ['mine'] })
    const refused = await refusal(asAnn(rights.rbac.roles, role('mine', [write], 'dev')))
    expect(refused.message).to.equal(missing(`roles.${rbacGroup} "mine"`, writeLine))
  })

  describe('bindings', () => {
    const bind = (roleText: string) =>
      asAnn(rights.rbac.roleBindings, binding('mine', roleText, ['User eve'], 'dev'))

    it('may bind a role whose rules the author holds (reference 7.8)', () => bind('Role read'))

    for (const [kind, plural] of [
      ['Role', 'roles'],
      ['ClusterRole', 'clusterroles'],
    ] as const) {
      it(`may not bind another ${kind} without the verb bind (reference 7.8)`, async () => {
        const refused = await refusal(bind(`${kind} write`))
        expect(refused.message).to.equal(missing(`rolebindings.${rbacGroup} "mine"`, writeLine))
        const rule = { verbs: ['bind'], apiGroups: [rbacGroup], resources: [plural] }
        await give({ ...rule, resourceNames: ['write'] })
        await bind(`${kind} write`)
      })

      it(`to a missing ${kind} are 404 (reference 7.8)`, async () => {
        expect(await refusal(bind(`${kind} gone`))).to.deep.include({
          code: 404,
          message: `rolebindings.${rbacGroup} "gone" not found`,
        })
      })
    }

    it('may bind a missing role with the verb bind (reference 7.8)', async () => {
      await give({ verbs: ['bind'], apiGroups: [rbacGroup], resources: ['roles'] })
      await bind('Role gone')
    })

    it('cannot change their role (reference 7.8)', async () => {
      const { roleBindings } = rights.rbac
      await create(roleBindings, binding('b', 'Role read', [], 'dev'))
      const refused = await refusal(put(roleBindings, binding('b', 'ClusterRole write', [], 'dev')))
      expect(refused.message).to.equal(
        `RoleBinding.${rbacGroup} "b" is invalid: roleRef: Invalid value: {"APIGroup":"${rbacGroup}","Kind":"ClusterRole","Name":"write"}: field is immutable`,
      )
      await change(roleBindings, { namespace: 'dev', name: 'b' }, (object) => {
        object['subjects'] = [{ kind: 'User', apiGroup: rbacGroup, name: 'zoe' }]
      })
    })
  })
})
