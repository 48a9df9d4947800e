import { expect } from 'chai'
import type { ApiObject, UserInfo } from '../../../apiserver/meta/types.ts'
import type { RequestContext } from '../../../apiserver/registry/strategy.ts'
import { KeyStores } from '../../support/accessKeys.ts'
import { warned } from '../../support/contexts.ts'
import { refusal } from '../../support/refusal.ts'

const jane: UserInfo = {
  name: 'jane',
  uid: '',
  groups: [
    'devs',
    'system:authenticated',
    'platform:user:*',
    'platform:user:jane',
    'platform:team:red',
  ],
  extra: {},
  credential: { user: 'jane' },
}
const blue = { projects: [{ project: 'blue' }] }
const admin: UserInfo = { name: 'root', uid: '', groups: ['platform:admins'], extra: {} }

const as = (user: UserInfo): RequestContext => ({ user, dryRun: false, warn: () => undefined })
const under = (scope: Record<string, unknown>): UserInfo => ({
  ...jane,
  credential: { user: 'jane', scope },
})

describe('access keys of users without special rights', () => {
  let world: KeyStores

  beforeEach(async () => {
    world = await KeyStores.open()
  })

  afterEach(() => world.close())

  const specOf = (object: ApiObject) => object['spec']

  it('belong to their creator if they name no user', async () => {
    const made = await world.addKey('k', { key: 'secret' }, as(jane))
    expect(specOf(made)).to.deep.equal({ user: 'jane', key: 'secret' })
  })

  it('belong to the team if created by a team', async () => {
    const team = { ...jane, credential: { team: 'red' } }
    const made = await world.addKey('k', { key: 'secret' }, as(team))
    expect(specOf(made)).to.deep.equal({ team: 'red', key: 'secret' })
  })

  it('belong to the impersonated user', async () => {
    const { credential: _, ...impersonated } = jane
    const made = await world.addKey('k', { key: 'secret' }, as(impersonated))
    expect(specOf(made)).to.deep.equal({ user: 'jane', key: 'secret' })
  })

  const notOwn = 'access keys can only be created for yourself and for your own teams'
  const creates: { name: string; user?: UserInfo; spec: Record<string, unknown>; why?: string }[] =
    [
      { name: 'for oneself', spec: { user: 'jane' } },
      { name: 'for an own team', spec: { team: 'red' } },
      {
        name: 'with own groups and name',
        spec: { user: 'jane', groups: ['devs'], subject: 'jane' },
      },
      { name: 'for another user', spec: { user: 'joe' }, why: notOwn },
      { name: 'for the user *', spec: { user: '*' }, why: notOwn },
      { name: 'for another team', spec: { team: 'blue' }, why: notOwn },
      {
        name: 'with a group of others',
        spec: { user: 'jane', groups: ['devs', 'system:masters'] },
        why: `the group "system:masters" is none of the caller's own`,
      },
      { name: 'for a subject', spec: { subject: 'root' }, why: notOwn },
      {
        name: 'with the subject of another',
        spec: { user: 'jane', subject: 'root' },
        why: `the subject "root" is not the caller's own`,
      },
      {
        name: 'by an administrator, for anybody',
        user: admin,
        spec: { user: 'joe', groups: ['x'] },
      },
      { name: 'by an administrator, for a subject', user: admin, spec: { subject: 'ci' } },
      { name: 'under a scope, with the same', user: under(blue), spec: { scope: blue } },
      {
        name: 'under a scope, with another',
        user: under(blue),
        spec: { scope: { projects: [{ project: '*' }] } },
        why: 'what is made under a scope has the same scope',
      },
      {
        name: 'by an administrator under a scope, with another',
        user: { ...admin, credential: { scope: blue } },
        spec: { user: 'joe', scope: { clusters: [{ cluster: '*' }] } },
        why: 'what is made under a scope has the same scope',
      },
    ]
  for (const { name, user = jane, spec, why } of creates) {
    it(`${name}: ${why === undefined ? 'created' : '403'}`, async () => {
      const made = world.addKey('k', spec, as(user))
      if (why === undefined) await made
      else {
        const message = `ownedaccesskeys.management.platform "k" is forbidden: ${why}`
        expect(await refusal(made)).to.deep.include({ code: 403, reason: 'Forbidden', message })
      }
    })
  }

  it('a key created with a scoped key inherits its scope (spec auth.4)', async () => {
    const made = await world.addKey('k', { key: 'secret' }, as(under(blue)))
    expect(specOf(made)).to.deep.equal({ user: 'jane', key: 'secret', scope: blue })
  })

  const updates: {
    name: string
    user?: UserInfo
    spec: Record<string, unknown>
    isRefused: boolean
  }[] = [
    { name: 'renamed', spec: { displayName: 'x' }, isRefused: false },
    { name: 'disabled', spec: { disabled: true }, isRefused: false },
    { name: 'given another value', spec: { key: 'new' }, isRefused: false },
    { name: 'narrowed', spec: { scope: blue }, isRefused: false },
    { name: 'given to another', spec: { user: 'joe' }, isRefused: true },
    { name: 'given more groups', spec: { groups: ['devs', 'ops'] }, isRefused: true },
    {
      name: 'disabled under a scope',
      user: under(blue),
      spec: { disabled: true },
      isRefused: false,
    },
    {
      name: 'given another value under a scope',
      user: under(blue),
      spec: { key: 'x' },
      isRefused: true,
    },
  ]
  for (const { name, user = jane, spec, isRefused } of updates) {
    it(`a user's own key is ${name}: ${isRefused ? '403' : '200'} (spec endpoint.OwnedAccessKey.replace)`, async () => {
      await world.addKey('k', { user: 'jane', key: 'secret' })
      const written = world.setAs(as(user), 'k', spec)
      if (isRefused) expect((await refusal(written)).code).to.equal(403)
      else await written
    })
  }

  it('a key with groups that its owner lacks may be disabled but not reset', async () => {
    await world.addKey('k', { user: 'jane', key: 'secret', groups: ['ops'] })
    await world.setAs(as(jane), 'k', { disabled: true })
    expect((await refusal(world.setAs(as(jane), 'k', { key: 'known' }))).code).to.equal(403)
  })

  it('the key of a login cannot become one that outlives it (spec key.type)', async () => {
    await world.addKey('k', { user: 'jane', key: 'secret', type: 'Login' })
    expect((await refusal(world.setAs(as(jane), 'k', { type: 'User' }))).code).to.equal(403)
  })

  it('errors of a scope are reported on create and update (spec key.scope)', async () => {
    const scope = { roles: [{ role: 'captain' }], rules: [{ nonResourceURLs: ['/a*'] }] }
    const causes = async (call: Promise<unknown>) => {
      const { code, details } = await refusal(call)
      return [code, details?.causes?.map(({ field }) => field)]
    }
    const want = [422, ['spec.scope.roles[0].role', 'spec.scope.rules[0].nonResourceURLs[0]']]
    expect(await causes(world.addKey('k', { scope }, as(jane)))).to.deep.equal(want)
    await world.addKey('k', {}, as(jane))
    expect(await causes(world.setAs(as(jane), 'k', { scope }))).to.deep.equal(want)
  })

  it('limit.accessKeyMaxTTLSeconds: a longer ttl is stored with a warning', async () => {
    world.limits = { accessKeyMaxTTLSeconds: 60 }
    const { context, warnings } = warned()
    await world.addKey('k', { user: 'jane', ttl: 61 }, context)
    await world.addKey('l', { user: 'jane', ttl: 60 }, context)
    expect(warnings).to.deep.equal([
      'spec.ttl: access keys end 60 seconds after their creation; a longer ttl has no effect',
    ])
  })
})
