import { expect } from 'chai'
import { sharedSecretResource } from '../../apiserver/apis/management/secrets/sharedSecret.ts'
import { userResource } from '../../apiserver/apis/management/users/user.ts'
import { identityGroups } from '../../apiserver/authorization/superusers.ts'
import { roleRefOf, rulesOf, subjectsOf } from '../../apiserver/authorization/rbac/policyRule.ts'
import { accessGiving } from '../../apiserver/controllers/accessObjects.ts'
import { AccessRoles } from '../../apiserver/controllers/accessRoles.ts'
import { defaultNames } from '../../apiserver/meta/names/namesProfile.ts'
import type { ApiObject } from '../../apiserver/meta/types.ts'
import type { Store } from '../../apiserver/registry/store.ts'
import { systemContext } from '../../apiserver/registry/systemContext.ts'
import { openRights, request, user, type Rights } from '../authorization/rbac/rights.ts'
import { eventually, turns } from '../support/eventually.ts'
import { change, create } from '../support/stores.ts'

const secretKind = sharedSecretResource(defaultNames)
const userKind = userResource(defaultNames)
const groups = identityGroups(defaultNames)
const names = {
  platform: 'platform',
  domain: 'platform',
  groups,
  identities: {
    users: (name: string) => groups.user(name),
    teams: (name: string) => groups.team(name),
  },
}

describe('AccessRoles', () => {
  let rights: Rights
  let secrets: Store
  let controller: AccessRoles

  beforeEach(async () => {
    rights = await openRights()
    secrets = rights.stores.storeOf(secretKind)
    controller = newController()
    await controller.start()
  })

  afterEach(async () => {
    controller.stop()
    await rights.stores.close()
  })

  function newController(): AccessRoles {
    const { stores, rbac } = rights
    return new AccessRoles({
      rbac,
      resources: [secretKind, userKind],
      storeOf: (resource) => stores.storeOf(resource),
      giving: accessGiving(names),
      clock: stores.clock,
      report: (error) => {
        throw error
      },
    })
  }

  const secret = (access: unknown[], name = 's'): ApiObject => ({
    kind: 'SharedSecret',
    apiVersion: secrets.apiVersion,
    metadata: { name, namespace: 'n' },
    spec: { access },
  })
  const until = (isSo: () => boolean) => eventually(rights.stores.clock, isSo)
  const may = (who: string, text: string, ...others: string[]) =>
    rights.authorizer.authorize(request(user(who, `platform:user:${who}`, ...others), text)).allowed
  const get = 'get management.platform/sharedsecrets n/s'
  const made = (store: Store) => [...store.cache.all()].map((entry) => entry.object())

  it('creates a role and a binding for an access entry, owned by the object (spec auth.8, secret.access)', async () => {
    const entry = { name: 'label', verbs: ['get', 'use'], users: ['ann'], teams: ['t', '*'] }
    const { metadata } = await create(secrets, secret([entry]))
    await until(() => may('ann', get))
    const [role] = made(rights.rbac.roles)
    const [binding] = made(rights.rbac.roleBindings)
    expect(
      role && [role.metadata.labels, role.metadata.ownerReferences, rulesOf(role)],
    ).to.deep.equal([
      { 'platform/access': 'sharedsecrets' },
      [
        {
          apiVersion: secrets.apiVersion,
          kind: 'SharedSecret',
          name: 's',
          uid: metadata.uid,
          controller: true,
        },
      ],
      [
        {
          verbs: ['get', 'use'],
          apiGroups: ['management.platform'],
          resources: ['sharedsecrets'],
          resourceNames: ['s'],
        },
      ],
    ])
    expect(binding && subjectsOf(binding).map(({ kind, name }) => `${kind} ${name}`)).to.deep.equal(
      ['Group platform:team:*', 'Group platform:team:t', 'Group platform:user:ann'],
    )
    expect(binding && roleRefOf(binding).name).to.equal(role?.metadata.name)
  })

  const cases: [string, unknown, string, string, string[], boolean][] = [
    ['a verb that is given', { verbs: ['get'], users: ['ann'] }, 'ann', get, [], true],
    ['to another user', { verbs: ['get'], users: ['ann'] }, 'bob', get, [], false],
    ['another verb', { verbs: ['list'], users: ['ann'] }, 'ann', get, [], false],
    ['every verb', { verbs: ['*'], users: ['ann'] }, 'ann', get, [], true],
    ['every user', { verbs: ['get'], users: ['*'] }, 'bob', get, ['platform:user:*'], true],
    ['a team', { verbs: ['get'], teams: ['t'] }, 'bob', get, ['platform:team:t'], true],
    ['another team', { verbs: ['get'], teams: ['t'] }, 'bob', get, ['platform:team:u'], false],
    ['another object', { verbs: ['get'], users: ['ann'] }, 'ann', `${get}2`, [], false],
    [
      'a subresource that is named',
      { verbs: ['create'], subresources: ['x'], users: ['ann'] },
      'ann',
      'create management.platform/sharedsecrets/x n/s',
      [],
      true,
    ],
    [
      'the object of a subresource that is named',
      { verbs: ['get'], subresources: ['x'], users: ['ann'] },
      'ann',
      get,
      [],
      false,
    ],
    ['nobody', { verbs: ['get'] }, 'ann', get, [], false],
  ]
  for (const [what, entry, who, text, others, allowed] of cases) {
    it(`${what}: ${allowed ? 'allowed' : 'refused'} (spec secret.access.verbs, secret.access.users, secret.access.subresources)`, async () => {
      await create(secrets, secret([entry, { verbs: ['get'], users: ['last'] }]))
      await until(() => may('last', get))
      expect(may(who, text, ...others)).to.equal(allowed)
    })
  }

  it('removes a right with its entry, and leaves the rights of other entries', async () => {
    const [ann, bob] = ['ann', 'bob'].map((name) => ({ verbs: ['get'], users: [name] }))
    await create(secrets, secret([ann, bob, { verbs: ['update'], users: ['ann'] }]))
    const update = 'update management.platform/sharedsecrets n/s'
    await until(() => may('ann', get) && may('bob', get) && may('ann', update))
    await change(secrets, { namespace: 'n', name: 's' }, (object) => {
      object['spec'] = { access: [bob] }
    })
    await until(() => !may('ann', get) && !may('ann', update))
    expect(may('bob', get)).to.equal(true)
    await until(() => made(rights.rbac.roles).length === 1)
  })

  it('removes rights with the object', async () => {
    await create(secrets, secret([{ verbs: ['get'], users: ['ann'] }]))
    await until(() => may('ann', get))
    await secrets.delete({ namespace: 'n', name: 's' }, {}, systemContext())
    await until(() => !may('ann', get) && made(rights.rbac.roles).length === 0)
  })

  it('reverts manual changes', async () => {
    await create(secrets, secret([{ verbs: ['get'], users: ['ann'] }]))
    await until(() => may('ann', get))
    const [binding] = made(rights.rbac.roleBindings)
    const name = binding?.metadata.name ?? ''
    await rights.rbac.roleBindings.delete({ namespace: 'n', name }, {}, systemContext())
    await until(() => may('ann', get))
    await change(rights.rbac.roles, { namespace: 'n', name }, (object) => {
      object['rules'] = []
    })
    await until(() => may('ann', get))
  })

  it('creates and removes after a restart what it missed', async () => {
    await create(secrets, secret([{ verbs: ['get'], users: ['ann'] }]))
    await until(() => may('ann', get))
    controller.stop()
    await secrets.delete({ namespace: 'n', name: 's' }, {}, systemContext())
    await create(secrets, secret([{ verbs: ['get'], users: ['bob'] }], 't'))
    await turns()
    controller = newController()
    await controller.start()
    await until(() => !may('ann', get) && may('bob', 'get management.platform/sharedsecrets n/t'))
  })

  it('binds the cluster roles of a user, and the access entries on it (spec user.clusterRoles, user.access)', async () => {
    const users = rights.stores.storeOf(userKind)
    await create(users, {
      kind: 'User',
      apiVersion: users.apiVersion,
      metadata: { name: 'ann' },
      spec: {
        clusterRoles: [{ name: 'a' }, { name: 'b' }],
        access: [{ verbs: ['makeowner'], users: ['bob'] }],
      },
    })
    await until(() => may('bob', 'makeowner management.platform/users ann'))
    const bindings = () =>
      made(rights.rbac.clusterRoleBindings).map((binding) => [
        roleRefOf(binding).name.split(':')[0],
        subjectsOf(binding).map(({ name }) => name),
      ])
    expect(bindings()).to.have.deep.members([
      ['a', ['platform:user:ann']],
      ['b', ['platform:user:ann']],
      ['platform', ['platform:user:bob']],
    ])
    await change(users, { namespace: '', name: 'ann' }, (object) => {
      object['spec'] = { clusterRoles: [{ name: 'b' }] }
    })
    await until(() => bindings().length === 1)
    expect(bindings()).to.deep.equal([['b', ['platform:user:ann']]])
  })
})
