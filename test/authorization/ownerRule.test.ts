import { expect } from 'chai'
import { ownRecordRule } from '../../apiserver/apis/management/users/ownRecord.ts'
import { sharedSecretResource } from '../../apiserver/apis/management/secrets/sharedSecret.ts'
import { userResource } from '../../apiserver/apis/management/users/user.ts'
import { OwnerRule } from '../../apiserver/authorization/ownerRule.ts'
import { PlaneAuthorizer } from '../../apiserver/authorization/planeAuthorizer.ts'
import { identityGroups } from '../../apiserver/authorization/superusers.ts'
import { defaultNames } from '../../apiserver/meta/names/namesProfile.ts'
import type { ApiObject, GroupResource, UserInfo } from '../../apiserver/meta/types.ts'
import { ResourceSet } from '../../apiserver/registry/resourceSet.ts'
import { change, create } from '../support/stores.ts'
import { openRights, request, user, type Rights } from './rbac/rights.ts'

const secretKind = sharedSecretResource(defaultNames)
const userKind = userResource(defaultNames)
const groups = identityGroups(defaultNames)
const ann = user('ann', 'platform:user:*', 'platform:user:ann', 'platform:team:red')
const bob = user('bob', 'platform:user:*', 'platform:user:bob')

describe('ownership', () => {
  let rights: Rights
  let rule: OwnerRule
  const ownRecord = ownRecordRule(defaultNames, groups)

  beforeEach(async () => {
    rights = await openRights()
    const kinds = [secretKind, userKind]
    const resources = new ResourceSet(kinds)
    const store = ({ group, resource }: GroupResource) => {
      const kind = kinds.find((one) => one.group === group && one.plural === resource)
      if (kind === undefined) throw new Error(`${resource} is not served`)
      return rights.stores.storeOf(kind)
    }
    rule = new OwnerRule({ resources: () => resources, store }, groups)
    await make('mine', { user: 'ann' })
    await make('ours', { team: 'red' })
    await make('theirs', { team: 'blue' })
    await make('free', undefined)
  })

  afterEach(() => rights.stores.close())

  const make = (name: string, owner: unknown): Promise<ApiObject> =>
    create(rights.stores.storeOf(secretKind), {
      kind: 'SharedSecret',
      apiVersion: `${secretKind.group}/v1`,
      metadata: { name, namespace: 'n' },
      spec: owner === undefined ? {} : { owner },
    })
  const may = (who: UserInfo, text: string) => rule.allows(request(who, text))
  const secrets = 'management.platform/sharedsecrets'

  const cases: [string, UserInfo, string, boolean][] = [
    ['one’s own', ann, `get ${secrets} n/mine`, true],
    ['with any verb', ann, `delete ${secrets} n/mine`, true],
    ['with a special verb', ann, `use ${secrets} n/mine`, true],
    ['below it', ann, `create ${secrets}/anything n/mine`, true],
    ['a team’s', ann, `update ${secrets} n/ours`, true],
    ['another team’s', ann, `get ${secrets} n/theirs`, false],
    ['another user’s', bob, `get ${secrets} n/mine`, false],
    ['nobody’s', ann, `get ${secrets} n/free`, false],
    ['one in another namespace', ann, `get ${secrets} m/mine`, false],
    ['all of them', ann, `list ${secrets} n/`, false],
    ['one that is not there', ann, `get ${secrets} n/gone`, false],
    ['of a kind that is not served', ann, 'get management.platform/odd n/mine', false],
    ['a path', ann, 'get /mine', false],
  ]
  for (const [what, who, text, allowed] of cases) {
    it(`${what}: ${text} is ${allowed ? 'allowed' : 'refused'} (facts 7.3)`, () => {
      expect(may(who, text)).to.equal(allowed)
    })
  }

  it('changes with the write that transfers the object (facts 7.3)', async () => {
    await change(rights.stores.storeOf(secretKind), { namespace: 'n', name: 'mine' }, (object) => {
      object['spec'] = { owner: { user: 'bob' } }
    })
    const text = `get ${secrets} n/mine`
    expect([may(ann, text), may(bob, text)]).to.deep.equal([false, true])
  })

  it('is listed as rules (reference 7.9)', async () => {
    expect(await rule.rules(ann, 'n')).to.deep.equal([
      {
        verbs: ['*'],
        apiGroups: ['management.platform'],
        resources: ['sharedsecrets'],
        resourceNames: ['mine', 'ours'],
      },
    ])
    expect(await rule.rules(ann, 'm')).to.deep.equal([])
  })

  it('is restricted by a scope, as superusers are (spec auth.4)', () => {
    const plane = new PlaneAuthorizer({
      rbac: rights.authorizer,
      ownership: [rule],
      scopeAllows: ({ verb }) => ({ allowed: verb === 'get', reason: 'out of scope' }),
    })
    const decide = (who: UserInfo, verb: string) =>
      plane.authorize(request({ ...who, credential: { scope: {} } }, `${verb} ${secrets} n/mine`))
    expect([decide(ann, 'get'), decide(ann, 'update')]).to.deep.equal([
      { allowed: true, reason: 'allowed by ownership' },
      { allowed: false, reason: 'out of scope' },
    ])
    const admin = user('m', 'system:masters')
    expect([decide(admin, 'get').allowed, decide(admin, 'update').allowed]).to.deep.equal([
      true,
      false,
    ])
  })

  const records: [string, UserInfo, string, boolean][] = [
    ['one’s own user', ann, 'get management.platform/users ann', true],
    ['one’s own team', ann, 'get management.platform/teams red', true],
    ['one’s own keys', ann, 'get management.platform/users/accesskeys ann', true],
    ['one’s own profile', ann, 'create management.platform/users/profile ann', true],
    ['to change oneself', ann, 'update management.platform/users ann', false],
    ['another user', ann, 'get management.platform/users bob', false],
    ['another team', ann, 'get management.platform/teams blue', false],
    ['a user called *', ann, 'get management.platform/users *', false],
    ['of another group', ann, 'get other/users ann', false],
  ]
  for (const [what, who, text, allowed] of records) {
    it(`${what}: ${text} is ${allowed ? 'allowed' : 'refused'} (facts 3.2)`, () => {
      expect(ownRecord.allows(request(who, text))).to.equal(allowed)
    })
  }
})
