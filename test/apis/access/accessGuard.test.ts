import { expect } from 'chai'
import { guardAccess } from '../../../apiserver/apis/access/accessGuard.ts'
import { configMapResource } from '../../../apiserver/apis/kubernetes/core/configMap.ts'
import { struct, stringList } from '../../../apiserver/apis/schema.ts'
import { projectKind } from '../../support/kinds/projectKind.ts'
import { userResource } from '../../../apiserver/apis/management/users/user.ts'
import { defaultNames } from '../../../apiserver/meta/names/namesProfile.ts'
import { StatusError } from '../../../apiserver/meta/status.ts'
import type { ApiObject, UserInfo } from '../../../apiserver/meta/types.ts'
import type { Store } from '../../../apiserver/registry/store.ts'
import { canonical, create } from '../../support/stores.ts'
import {
  binding,
  contextOf,
  guardedSecrets,
  guardOptions,
  openRights,
  role,
  user,
  type Rights,
} from '../../authorization/rbac/rights.ts'

const group = 'management.platform'
const target = { namespace: 'n', name: 's' }
const ann = user('ann', 'platform:user:ann', 'platform:team:own')

describe('guardAccess', () => {
  let rights: Rights
  let secrets: Store

  beforeEach(async () => {
    rights = await openRights()
    secrets = rights.stores.storeOf(guardedSecrets(rights))
  })

  afterEach(() => rights.stores.close())

  const give = async (verbs: string[], resources: string[], resourceNames?: string[]) => {
    const name = `given-${verbs.join('-')}-${resources.join('-')}`
      .replaceAll('/', '.')
      .toLowerCase()
    const rule = { verbs, apiGroups: [group], resources, ...(resourceNames && { resourceNames }) }
    await create(rights.rbac.clusterRoles, role(name, [rule]))
    await create(
      rights.rbac.clusterRoleBindings,
      binding(name, `ClusterRole ${name}`, ['User ann']),
    )
  }
  const secret = (spec: object): ApiObject => ({
    kind: 'SharedSecret',
    apiVersion: secrets.apiVersion,
    metadata: { name: 's', namespace: 'n' },
    spec,
  })
  const refusalOf = async (write: Promise<unknown>): Promise<string> => {
    try {
      await write
      return ''
    } catch (error) {
      if (error instanceof StatusError) return error.message
      throw error
    }
  }
  const made = (spec: object, who: UserInfo = ann) =>
    refusalOf(secrets.create(canonical(secret(spec), secrets.resource), contextOf(who)))
  const changed = async (before: object, spec: object, who: UserInfo = ann) => {
    await create(secrets, secret(before))
    const transform = (old: ApiObject) => canonical({ ...old, spec }, secrets.resource)
    return refusalOf(secrets.update(target, { transform }, contextOf(who)))
  }
  const cannot = (verb: string, plural: string, name: string) =>
    `${plural}.${group} "${name}" is forbidden: User "ann" cannot ${verb} resource "${plural}" in API group "${group}" at the cluster scope`
  const mine = { user: 'ann' }
  const access = (users: string[], verbs = ['get'], teams: string[] = []) => [
    { verbs, users, teams },
  ]

  it('leaves kinds that give no rights unchanged', () => {
    const kinds = { configMaps: configMapResource }
    const guarded = guardAccess(kinds, guardOptions(rights.guard))
    expect(guarded.configMaps).to.equal(configMapResource)
  })

  it('a user may own what he creates, or assign it to one of his teams (facts 7.3)', async () => {
    expect(await made({ owner: mine })).to.equal('')
    await secrets.delete(target, {}, contextOf(user('m', 'system:masters')))
    expect(await made({ owner: { team: 'own' } })).to.equal('')
  })

  it('another owner requires makeowner on that user or team (facts 7.3)', async () => {
    expect(await made({ owner: { user: 'bob' } })).to.equal(cannot('makeowner', 'users', 'bob'))
    expect(await made({ owner: { team: 't' } })).to.equal(cannot('makeowner', 'teams', 't'))
    await give(['makeowner'], ['users'], ['bob'])
    expect(await made({ owner: { user: 'eve' } })).to.equal(cannot('makeowner', 'users', 'eve'))
    expect(await made({ owner: { user: 'bob' } })).to.equal('')
  })

  it('the owner may transfer ownership; a user with only write access may not take it (facts 7.3)', async () => {
    await give(['makeowner'], ['users'])
    expect(await changed({ owner: { user: 'bob' } }, { owner: mine })).to.match(
      /is attempting to grant RBAC permissions not currently held:\n\{APIGroups:\["management.platform"\], Resources:\["sharedsecrets"\], ResourceNames:\["s"\], Verbs:\["\*"\]\}$/,
    )
    await secrets.delete(target, {}, contextOf(user('m', 'system:masters')))
    expect(await changed({ owner: mine }, { owner: { user: 'bob' } })).to.equal('')
  })

  it('naming other users in an access entry requires bind on them (facts 7.1)', async () => {
    const owner = mine
    expect(await made({ owner, access: access(['bob']) })).to.equal(cannot('bind', 'users', 'bob'))
    expect(await made({ owner, access: access(['*']) })).to.equal(cannot('bind', 'users', '*'))
    expect(await made({ owner, access: access([], ['get'], ['t']) })).to.equal(
      cannot('bind', 'teams', 't'),
    )
    await give(['bind'], ['users'])
    expect(await made({ owner, access: access(['bob', '*', 'ann'], ['*'], ['own']) })).to.equal('')
  })

  it('an access entry grants no more than its author has (facts 7.1)', async () => {
    expect(await changed({}, { access: access(['ann'], ['get', 'delete']) })).to.match(
      /not currently held:\n.*Verbs:\["get" "delete"\]\}$/,
    )
    await give(['get'], ['sharedsecrets'])
    const { resource } = secrets
    const write = (verbs: string[]) => {
      const transform = (old: ApiObject) =>
        canonical({ ...old, spec: { access: access(['ann'], verbs) } }, resource)
      return refusalOf(secrets.update(target, { transform }, contextOf(ann)))
    }
    expect(await write(['get', 'delete'])).to.match(/not currently held:\n.*Verbs:\["delete"\]\}$/)
    expect(await write(['get'])).to.equal('')
  })

  it('existing access entries require nothing, and neither does removing them (facts 7.1)', async () => {
    const before = { access: [...access(['bob']), ...access(['eve'])] }
    expect(await changed(before, { ...before, description: 'x' })).to.equal('')
    const transform = (old: ApiObject) =>
      canonical({ ...old, spec: { access: access(['eve']) } }, secrets.resource)
    expect(await refusalOf(secrets.update(target, { transform }, contextOf(ann)))).to.equal('')
  })

  it('a superuser may write anything', async () => {
    const spec = { owner: { user: 'x' }, access: access(['bob', '*'], ['*']) }
    expect(await made(spec, user('a', 'platform:admins'))).to.equal('')
  })

  it('adding a team member requires bind on the team, or membership in it', async () => {
    const members = { users: stringList('Users.'), groups: stringList('Groups.') }
    const schema = struct({ spec: struct(members, 'What it should be.') }, 'A team.')
    const teams = { ...userResource(defaultNames), kind: 'Team', plural: 'teams', schema }
    const kinds = { teams: { ...teams, columns: [], selectableFields: {} } }
    const guarded = guardAccess(kinds, guardOptions(rights.guard))
    const store = rights.stores.storeOf(guarded.teams)
    const apiVersion = store.apiVersion
    for (const name of ['red', 'own']) {
      await create(store, { kind: 'Team', apiVersion, metadata: { name }, spec: { users: ['x'] } })
    }
    const add = (name: string, users: string[]) => {
      const transform = (old: ApiObject) => canonical({ ...old, spec: { users } }, store.resource)
      return refusalOf(store.update({ namespace: '', name }, { transform }, contextOf(ann)))
    }
    expect(await add('red', ['x', 'ann'])).to.equal(cannot('bind', 'teams', 'red'))
    expect(await add('red', [])).to.equal('')
    expect(await add('own', ['x', 'y'])).to.equal('')
    await give(['bind'], ['teams'], ['red'])
    expect(await add('red', ['ann'])).to.equal('')
  })

  describe('members', () => {
    const rule = { verbs: ['get'], apiGroups: ['g'], resources: ['a'] }
    const read = ['get']
    const readable = ['projects', 'projects/clusters']
    const member = (clusterRole: string, name = 'bob', kind = 'User') => ({
      members: [{ kind, name, clusterRole }],
    })
    let projects: Store

    beforeEach(async () => {
      const options = guardOptions(rights.guard)
      projects = rights.stores.storeOf(guardAccess({ projectKind }, options).projectKind)
      await create(rights.rbac.clusterRoles, role('r', [rule]))
    })

    const project = (spec: object, name = 'x'): ApiObject => {
      return { kind: 'Project', apiVersion: projects.apiVersion, metadata: { name }, spec }
    }
    const write = (spec: object, name = 'x', who = ann) =>
      refusalOf(projects.create(canonical(project(spec, name), projects.resource), contextOf(who)))

    it('require bind on the user or team they name', async () => {
      await give(read, readable)
      expect(await write(member(''))).to.equal(cannot('bind', 'users', 'bob'))
      expect(await write(member('', 'red', 'Team'))).to.equal(cannot('bind', 'teams', 'red'))
      expect(await write(member('', '*'))).to.equal(cannot('bind', 'users', '*'))
      expect(await write(member('', 'ann'))).to.equal('')
      await give(['bind'], ['users'], ['bob'])
      expect(await write(member(''), 'y')).to.equal('')
    })

    it("require bind on the cluster role, or all of its rights in the project's namespace (facts 7.2)", async () => {
      await give(read, readable)
      const wanted = member('r', 'ann')
      expect(await write(wanted)).to.match(/not currently held:\n.*Resources:\["a"\]/)
      expect(await write(member('gone', 'ann'))).to.match(/"gone" not found/)
      for (const namespace of ['x', 'p-other']) {
        const bound = binding('r', 'ClusterRole r', ['User ann'], namespace)
        await create(rights.rbac.roleBindings, bound)
      }
      expect(await write(wanted)).to.match(/not currently held/)
      expect(await write(wanted, 'other')).to.equal('')
      const bind = {
        verbs: ['bind'],
        apiGroups: ['rbac.authorization.k8s.io'],
        resources: ['clusterroles'],
        resourceNames: ['r'],
      }
      await create(rights.rbac.clusterRoles, role('binder', [bind]))
      const bound = binding('b', 'ClusterRole binder', ['User ann'])
      await create(rights.rbac.clusterRoleBindings, bound)
      expect(await write(wanted)).to.equal('')
    })

    it('an owner grants no cluster role beyond his own rights, but may let members read (facts 7.3)', async () => {
      expect(await write({ owner: mine, ...member('r', 'ann') })).to.match(/not currently held/)
      expect(await write({ owner: mine, ...member('', 'ann') })).to.equal('')
      expect(await write(member('', 'ann'), 'y')).to.match(
        /not currently held:\n.*Resources:\["projects"/,
      )
    })

    it('require nothing if unchanged', async () => {
      await create(projects, project(member('r')))
      const spec = { displayName: 'new', ...member('r') }
      const update = (content: object) => {
        const transform = (old: ApiObject) =>
          canonical({ ...old, spec: content }, projects.resource)
        const request = { transform }
        return refusalOf(projects.update({ namespace: '', name: 'x' }, request, contextOf(ann)))
      }
      expect(await update(spec)).to.equal('')
      await create(rights.rbac.clusterRoles, role('s', [rule]))
      expect(await update(member('s'))).to.equal(cannot('bind', 'users', 'bob'))
    })

    it('a superuser assigns any role', async () => {
      expect(await write(member('gone', '*'), 'x', user('a', 'platform:admins'))).to.equal('')
    })
  })

  describe('users', () => {
    const write = (spec: object, who: UserInfo = ann) => {
      const kinds = { users: userResource(defaultNames) }
      const guarded = guardAccess(kinds, guardOptions(rights.guard))
      const store = rights.stores.storeOf(guarded.users)
      const object = {
        kind: 'User',
        apiVersion: store.apiVersion,
        metadata: { name: 'new' },
        spec,
      }
      return refusalOf(store.create(canonical(object, store.resource), contextOf(who)))
    }

    it('a cluster role requires bind, or all of its rights (facts 7.2)', async () => {
      const rule = { verbs: ['get'], apiGroups: ['g'], resources: ['a'] }
      await create(rights.rbac.clusterRoles, role('r', [rule]))
      const spec = { clusterRoles: [{ name: 'r' }] }
      expect(await write(spec)).to.match(
        /not currently held:\n.*Resources:\["a"\], Verbs:\["get"\]/,
      )
      expect(await write({ clusterRoles: [{ name: 'gone' }] })).to.equal(
        'clusterroles.rbac.authorization.k8s.io "gone" not found',
      )
      await create(rights.rbac.clusterRoleBindings, binding('r', 'ClusterRole r', ['User ann']))
      expect(await write(spec)).to.equal('')
    })

    it('a subject other than the name requires impersonate', async () => {
      const said =
        'users "bob" is forbidden: User "ann" cannot impersonate resource "users" in API group "" at the cluster scope'
      expect(await write({ subject: 'bob' })).to.equal(said)
      const rule = { verbs: ['impersonate'], apiGroups: [''], resources: ['users'] }
      await create(rights.rbac.clusterRoles, role('i', [rule]))
      await create(rights.rbac.clusterRoleBindings, binding('i', 'ClusterRole i', ['User ann']))
      expect(await write({ subject: 'bob' })).to.equal('')
    })

    it('a subject equal to the name does not', async () => {
      expect(await write({ subject: 'new' })).to.equal('')
    })

    for (const name of ['system:masters', 'platform:admins', 'platform:user:bob']) {
      it(`only its members can grant the group ${name}`, async () => {
        const said = `users.${group} "new" is forbidden: user "ann" is attempting to give the group "${name}" without being in it`
        expect(await write({ groups: ['mine', name] })).to.equal(said)
        expect(await write({ ssoGroups: [name] })).to.equal(said)
      })
    }
  })
})
