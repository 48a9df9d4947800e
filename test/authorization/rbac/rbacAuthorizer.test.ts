import { expect } from 'chai'
import type { UserInfo } from '../../../apiserver/meta/types.ts'
import { systemContext } from '../../../apiserver/registry/systemContext.ts'
import { create } from '../../support/stores.ts'
import { binding, openRights, request, role, user, type Rights } from './rights.ts'

const rules = {
  read: { verbs: ['get', 'list'], apiGroups: [''], resources: ['configmaps', 'pods/log'] },
  named: { verbs: ['get'], apiGroups: ['g'], resources: ['things'], resourceNames: ['one'] },
  scale: { verbs: ['update'], apiGroups: ['*'], resources: ['*/scale'] },
  all: { verbs: ['*'], apiGroups: ['x'], resources: ['*'] },
  paths: { verbs: ['get'], nonResourceURLs: ['/a', '/b/*'] },
}

describe('RbacAuthorizer', () => {
  let rights: Rights

  beforeEach(async () => {
    rights = await openRights()
    const { roles, clusterRoles, roleBindings, clusterRoleBindings } = rights.rbac
    await create(clusterRoles, role('all', Object.values(rules)))
    await create(clusterRoles, role('read', [rules.read]))
    await create(roles, role('read', [rules.read], 'dev'))
    await create(clusterRoleBindings, binding('all', 'ClusterRole all', ['Group masters']))
    await create(roleBindings, binding('r', 'Role read', ['User ann', 'ServiceAccount /sa'], 'dev'))
    await create(roleBindings, binding('c', 'ClusterRole all', ['User bob'], 'dev'))
    await create(
      clusterRoleBindings,
      binding('sa', 'ClusterRole read', ['ServiceAccount ops/robot']),
    )
  })

  afterEach(() => rights.stores.close())

  const ann = user('ann', 'system:authenticated')
  const bob = user('bob')
  const max = user('max', 'masters')
  const decide = (who: UserInfo, text: string) => rights.authorizer.authorize(request(who, text))

  const cases: [string, UserInfo, string, boolean][] = [
    ['a role of the namespace', ann, 'get core/configmaps dev/a', true],
    ['another verb', ann, 'delete core/configmaps dev/a', false],
    ['another namespace', ann, 'get core/configmaps prod/a', false],
    ['every namespace', ann, 'list core/configmaps', false],
    ['another group', ann, 'get g/configmaps dev/a', false],
    ['a subresource by its name', ann, 'get core/pods/log dev/a', true],
    ['the resource of a subresource', ann, 'get core/pods dev/a', false],
    ['a cluster role in a namespace', bob, 'get core/configmaps dev/a', true],
    ['the same elsewhere', bob, 'get core/configmaps prod/a', false],
    ['paths by a binding of a namespace', bob, 'get /a', false],
    ['everywhere by a cluster role binding', max, 'list core/configmaps', true],
    ['in a namespace by a cluster role binding', max, 'list core/configmaps any/', true],
    ['a name that is listed', max, 'get g/things one', true],
    ['a name that is not', max, 'get g/things two', false],
    ['a list where names are listed', max, 'list g/things', false],
    ['every subresource of a name', max, 'update any/things/scale dev/a', true],
    ['the resource of such a subresource', max, 'update any/things dev/a', false],
    ['all of a group', max, 'odd x/anything/sub dev/a', true],
    ['all of another group', max, 'odd y/anything dev/a', false],
    ['a path', max, 'get /a', true],
    ['a path below it', max, 'get /a/b', false],
    ['a path below a star', max, 'get /b/c/d', true],
    ['the path above a star', max, 'get /b', false],
    ['another method', max, 'post /a', false],
    [
      'a service account of the namespace of the binding',
      user('system:serviceaccount:dev:sa'),
      'get core/configmaps dev/a',
      true,
    ],
    ['one of another', user('system:serviceaccount:prod:sa'), 'get core/configmaps dev/a', false],
    [
      'a service account that is named',
      user('system:serviceaccount:ops:robot'),
      'get core/configmaps any/a',
      true,
    ],
    ['system:masters', user('m', 'system:masters'), 'odd y/anything dev/a', true],
    ['the admins of the platform', user('m', 'platform:admins'), 'odd /x', true],
    ['a user called like a group', user('masters'), 'list core/configmaps', false],
    ['a group called like a user', user('x', 'ann'), 'get core/configmaps dev/a', false],
  ]
  for (const [what, who, text, allowed] of cases) {
    it(`${what}: ${text} is ${allowed ? 'allowed' : 'refused'} (reference 7.8)`, () => {
      expect(decide(who, text).allowed).to.equal(allowed)
      expect(decide(who, text).allowed).to.equal(allowed)
    })
  }

  it('names the binding (reference 7.8)', () => {
    const robot = user('system:serviceaccount:ops:robot')
    expect([
      decide(ann, 'get core/configmaps dev/a').reason,
      decide(max, 'get /a').reason,
      decide(robot, 'get core/configmaps').reason,
    ]).to.deep.equal([
      'RBAC: allowed by RoleBinding "r/dev" of Role "read" to User "ann"',
      'RBAC: allowed by ClusterRoleBinding "all" of ClusterRole "all" to Group "masters"',
      'RBAC: allowed by ClusterRoleBinding "sa" of ClusterRole "read" to ServiceAccount "robot/ops"',
    ])
  })

  it('names missing roles (reference 7.8)', async () => {
    const { roleBindings, clusterRoleBindings } = rights.rbac
    const system = systemContext()
    await create(roleBindings, binding('m', 'Role gone', ['User ann'], 'dev'), system)
    expect(decide(ann, 'delete core/configmaps dev/a')).to.deep.equal({
      allowed: false,
      reason: 'rbac: RBAC: role.rbac.authorization.k8s.io "gone" not found',
    })
    await create(clusterRoleBindings, binding('m', 'ClusterRole gone', ['User ann']), system)
    expect(decide(ann, 'delete core/configmaps dev/a').reason).to.equal(
      'rbac: RBAC: [clusterrole.rbac.authorization.k8s.io "gone" not found, role.rbac.authorization.k8s.io "gone" not found]',
    )
  })

  it('loses a right with the write that deletes the binding', async () => {
    expect(decide(ann, 'get core/configmaps dev/a').allowed).to.equal(true)
    await rights.rbac.roleBindings.delete({ namespace: 'dev', name: 'r' }, {}, systemContext())
    expect(decide(ann, 'get core/configmaps dev/a').allowed).to.equal(false)
  })

  it('gains and loses rights with writes of the role', async () => {
    const { roles } = rights.rbac
    const target = { namespace: 'dev', name: 'read' }
    const set = (verbs: string[]) =>
      roles.update(
        target,
        { transform: (old) => ({ ...old, rules: [{ ...rules.read, verbs }] }) },
        systemContext(),
      )
    await set(['delete'])
    expect(decide(ann, 'get core/configmaps dev/a').allowed).to.equal(false)
    expect(decide(ann, 'delete core/configmaps dev/a').allowed).to.equal(true)
    await roles.delete(target, {}, systemContext())
    expect(decide(ann, 'delete core/configmaps dev/a').allowed).to.equal(false)
    await create(roles, role('read', [rules.read], 'dev'))
    expect(decide(ann, 'get core/configmaps dev/a').allowed).to.equal(true)
  })

  it('has the same rights after a restart', async () => {
    const { RbacIndex } = await import('../../../apiserver/authorization/rbac/rbacIndex.ts')
    const index = new RbacIndex()
    await index.start(rights.rbac)
    expect(index.rulesFor(ann, 'dev')).to.deep.equal([rules.read])
    expect(index.rulesFor(ann, '')).to.deep.equal([])
    expect(index.rulesFor(max, 'dev')).to.deep.equal(Object.values(rules))
  })
})
