import { expect } from 'chai'
import { sharedSecretResource } from '../../apiserver/apis/management/secrets/sharedSecret.ts'
import { PlaneAuthorizer } from '../../apiserver/authorization/planeAuthorizer.ts'
import { identityGroups } from '../../apiserver/authorization/superusers.ts'
import { VisibleLists } from '../../apiserver/authorization/visibleLists.ts'
import { defaultNames } from '../../apiserver/meta/names/namesProfile.ts'
import { ResourceSet } from '../../apiserver/registry/resourceSet.ts'
import { create } from '../support/stores.ts'
import { thingResource } from '../support/thing.ts'
import { binding, openRights, request, role, user, type Rights } from './rbac/rights.ts'

const group = 'management.platform'
const bob = user('bob', 'system:authenticated')
const list = `list ${group}/sharedsecrets`
const seen = 'allowed for the objects that the user may get'

describe('VisibleLists', () => {
  let rights: Rights
  let authorizer: PlaneAuthorizer
  let asked: string[]

  beforeEach(async () => {
    rights = await openRights()
    asked = []
    const secrets = sharedSecretResource(defaultNames)
    const resources = new ResourceSet([secrets, thingResource()])
    authorizer = new PlaneAuthorizer({
      rbac: rights.authorizer,
      ownership: [
        { allows: ({ verb, name }) => asked.push(`${verb} ${name}`) > 0 && name === 'mine' },
      ],
      visible: {
        lists: new VisibleLists(() => resources),
        objects: { resources: () => resources, store: () => rights.stores.storeOf(secrets) },
        groups: identityGroups(defaultNames),
      },
      scopeAllows: ({ verb, name }) => ({
        allowed: verb === 'list' || name !== 'mine',
        reason: '',
      }),
    })
  })
  afterEach(() => rights.stores.close())

  const cases: [string, typeof bob, string, boolean][] = [
    ['of a visible kind', bob, list, true],
    ['of one namespace', bob, `${list} n/`, true],
    ['of one object', bob, `${list} n/x`, true],
    ['of any other kind', bob, 'list example.dev/things', false],
    ['below an object', bob, `list ${group}/sharedsecrets/x n/x`, false],
    [
      'for who is not authenticated',
      user('system:anonymous', 'system:unauthenticated'),
      list,
      false,
    ],
    ['as a watch', bob, `watch ${group}/sharedsecrets`, true],
    ['as a deletion', bob, `deletecollection ${group}/sharedsecrets`, false],
  ]
  for (const [what, who, text, allowed] of cases) {
    it(`a list ${what} is ${allowed ? 'allowed for the visible objects' : 'refused'} (facts 3.2)`, () => {
      const { shows, view: _view, ...decision } = authorizer.authorize(request(who, text))
      expect([decision, shows !== undefined]).to.deep.equal([
        { allowed, reason: allowed ? seen : '' },
        allowed,
      ])
    })
  }

  it('shows everything to a user with the right, without further checks', async () => {
    const rule = { verbs: ['list'], apiGroups: [group], resources: ['*'] }
    await create(rights.rbac.clusterRoles, role('r', [rule]))
    await create(rights.rbac.clusterRoleBindings, binding('b', 'ClusterRole r', ['User bob']))
    for (const who of [bob, user('root', 'platform:admins')]) {
      const { allowed, shows } = authorizer.authorize(request(who, list))
      expect([allowed, shows]).to.deep.equal([true, undefined])
    }
    expect(asked).to.deep.equal([])
  })

  const shows = (who: typeof bob, name: string, state: object) =>
    authorizer.authorize(request(who, list)).shows?.({ namespace: 'n', name }, state)

  it('shows the readable objects, decided once per state while rights are unchanged', async () => {
    const [mine, other] = [{}, {}]
    for (let turn = 0; turn < 3; turn++) {
      expect([shows(bob, 'mine', mine), shows(bob, 'other', other)]).to.deep.equal([true, false])
    }
    const gets = () => asked.filter((one) => one.startsWith('get'))
    expect(gets()).to.deep.equal(['get mine', 'get other'])
    shows(bob, 'mine', {})
    expect(gets().length).to.equal(3)
    const rule = { verbs: ['get'], apiGroups: [group], resources: ['*'] }
    await create(rights.rbac.clusterRoles, role('r', [rule]))
    await create(rights.rbac.clusterRoleBindings, binding('b', 'ClusterRole r', ['User bob']))
    expect(shows(bob, 'other', other)).to.equal(true)
  })

  it('auth.4: shows nothing outside the scope of the credential', () => {
    const scoped = { ...bob, credential: { scope: {} } }
    const state = {}
    expect([shows(bob, 'mine', state), shows(scoped, 'mine', state)]).to.deep.equal([true, false])
  })

  it('is listed as rules (reference 7.9)', async () => {
    const rule = { verbs: ['list', 'watch'], apiGroups: [group], resources: ['sharedsecrets'] }
    expect(await authorizer.rulesFor(bob, '')).to.deep.equal({
      rules: [rule],
      problems: [],
      isIncomplete: false,
    })
    expect((await authorizer.rulesFor(user('x'), '')).rules).to.deep.equal([])
  })
})
