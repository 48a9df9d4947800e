import { expect } from 'chai'
import { clientOf, management, users, useTestServer } from '../support/testServer.ts'

const keys = `${management}/ownedaccesskeys`
const apiVersion = 'management.platform/v1'

describe('subresources of users and teams', () => {
  const server = useTestServer()
  const admin = () => server().admin

  before(async () => {
    await admin().post(`${management}/teams`, {
      metadata: { name: 'red' },
      spec: { displayName: 'Red', users: ['jane'], clusterRoles: [{ name: 'view' }] },
    })
    await admin().post(users, {
      metadata: { name: 'jane' },
      spec: { displayName: 'Jane', email: 'jane@example.com', clusterRoles: [{ name: 'edit' }] },
    })
    await admin().post(keys, { metadata: { name: 'jane' }, spec: { user: 'jane', key: 'of-jane' } })
    await admin().post(keys, { metadata: { name: 'red' }, spec: { team: 'red', key: 'of-red' } })
    await admin().post(`${management}/clusters`, { metadata: { name: 'east' } })
    await admin().post(`${management}/namespaces/default/sharedsecrets`, {
      metadata: { name: 's' },
      spec: { access: [{ verbs: ['get'], teams: ['red'] }] },
    })
  })

  const jane = () => clientOf(server().running, 'of-jane')
  const named = (name: string) => ({ apiVersion, metadata: { name } })

  it('accesskeys returns the keys of the user or team (facts 1.0)', async () => {
    const ofJane = await jane().get(`${users}/jane/accesskeys`)
    const ofRed = await jane().get(`${management}/teams/red/accesskeys`)
    const shown = [ofJane, ofRed].map((answer) => [
      answer.field('kind'),
      answer.field('accessKeys', 0, 'metadata', 'name'),
      answer.field('accessKeys', 1),
    ])
    expect(shown).to.deep.equal([
      ['UserAccessKeys', 'jane', undefined],
      ['TeamAccessKeys', 'red', undefined],
    ])
  })
  it('clusters returns the readable clusters', async () => {
    const answer = await admin().get(`${users}/admin/clusters`)
    expect(answer.field('clusters', 0, 'cluster', 'metadata', 'name')).to.equal('east')
    expect((await jane().get(`${users}/jane/clusters`)).json).to.deep.equal({
      kind: 'UserClusters',
      ...named('jane'),
      clusters: [],
    })
  })
  it('permissions returns memberships and roles', async () => {
    expect((await jane().get(`${users}/jane/permissions`)).json).to.deep.equal({
      kind: 'UserPermissions',
      ...named('jane'),
      clusterRoles: [{ name: 'edit' }, { name: 'view' }],
      teamMemberships: [{ name: 'red', displayName: 'Red' }],
      projectMemberships: [],
      clusterAccess: [],
    })
  })
  it('object-permissions returns the rights by access entries', async () => {
    const about = { group: 'management.platform', resource: 'sharedsecrets' }
    expect((await jane().get(`${users}/jane/object-permissions`)).json).to.deep.equal({
      kind: 'UserObjectPermissions',
      ...named('jane'),
      objectPermissions: [{ ...about, namespace: 'default', name: 's', verbs: ['get'] }],
    })
  })
  it('of an unknown user: 404', async () => {
    expect((await admin().get(`${users}/nobody/accesskeys`)).status).to.equal(404)
  })

  describe('profile', () => {
    const profile = `${users}/jane/profile`

    it('returns the fields that the user may change, and updates them (facts 1.3)', async () => {
      const want = {
        kind: 'UserProfile',
        ...named('jane'),
        displayName: 'Jane',
        email: 'jane@example.com',
      }
      expect((await jane().get(profile)).json).to.deep.equal(want)
      const answer = await jane().post(profile, { displayName: 'J.', custom: 'dark' })
      const { displayName: _, ...rest } = want
      expect([answer.status, answer.json]).to.deep.equal([
        201,
        { ...rest, displayName: 'J.', custom: 'dark' },
      ])
    })
    it('of another user: 403', async () => {
      expect((await jane().post(`${users}/admin/profile`, { displayName: 'x' })).status).to.equal(
        403,
      )
    })
    it('a password is stored as its hash, and revokes all keys of the user (spec user.passwordRef)', async () => {
      const before = jane()
      expect((await before.post(profile, { password: 'my-password' })).status).to.equal(201)
      const ref = {
        secretName: 'platform-user-secret-jane',
        secretNamespace: 'platform',
        key: 'password',
      }
      expect((await admin().get(`${users}/jane`)).field('spec', 'passwordRef')).to.deep.equal(ref)
      const secret = await admin().get(
        '/api/v1/namespaces/platform/secrets/platform-user-secret-jane',
      )
      const stored = Buffer.from(String(secret.field('data', 'password')), 'base64').toString()
      expect(stored).to.match(/^\$scrypt\$ln=14,r=8,p=5\$/)
      expect(stored).not.to.include('my-password')
      expect((await before.get(profile)).status).to.equal(401)
    })
    it('a new password requires the current one', async () => {
      await admin().post(keys, {
        metadata: { name: 'again' },
        spec: { user: 'jane', key: 'again' },
      })
      const again = clientOf(server().running, 'again')
      const change = async (currentPassword?: string) => {
        const answer = await again.post(profile, { password: 'next', currentPassword })
        return [answer.status, answer.field('message')]
      }
      const invalid = 'UserProfile.management.platform "jane" is invalid: currentPassword:'
      expect(await change()).to.deep.equal([422, `${invalid} Required value`])
      expect(await change('wrong')).to.deep.equal([
        422,
        `${invalid} Invalid value: "***": is not the current password`,
      ])
      expect((await change('my-password'))[0]).to.equal(201)
    })
  })
})
