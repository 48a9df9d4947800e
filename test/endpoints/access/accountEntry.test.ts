import { expect } from 'chai'
import { waitUntil } from '../../support/waitUntil.ts'
import type { HttpClient } from '../support/httpClient.ts'
import { clientOf, management, openBob, users, useTestServer } from '../support/testServer.ts'

type Fields = Record<string, unknown>

const keys = `${management}/ownedaccesskeys`
const rbac = '/apis/rbac.authorization.k8s.io/v1'

/** Ways into an account: its password, its owner, a former user's name. */
describe('the account of another user', function () {
  this.timeout(30_000)
  const server = useTestServer()
  const admin = () => server().admin
  let made = 0

  const allow = async (user: string, rules: Fields[]) => {
    const name = `given-${++made}`
    await admin().post(`${rbac}/clusterroles`, { metadata: { name }, rules })
    await admin().post(`${rbac}/clusterrolebindings`, {
      metadata: { name },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }],
    })
  }
  const onUsers = (verbs: string[], resources = ['users']): Fields => ({
    verbs,
    apiGroups: ['management.platform'],
    resources,
  })
  const impersonate = { verbs: ['impersonate'], apiGroups: [''], resources: ['users'] }
  const set = (client: HttpClient, user: string, spec: Fields) =>
    client.patch(`${users}/${user}`, 'merge-patch+json', { spec })

  it('gets no password from a user who may only write its profile, nor from the owner of its User', async () => {
    const eve = await openBob(server(), 'eve')
    await allow('eve', [onUsers(['create'], ['users/profile'])])
    await admin().post(users, { metadata: { name: 'boss' }, spec: { groups: ['system:masters'] } })
    await admin().post(users, { metadata: { name: 'owned' }, spec: { owner: { user: 'eve' } } })
    for (const name of ['admin', 'boss', 'owned']) {
      const answer = await eve.post(`${users}/${name}/profile`, { password: 'known to eve' })
      expect([answer.status, String(answer.field('message'))]).to.deep.equal([
        403,
        `users "${name}" is forbidden: User "eve" cannot impersonate resource "users" in API group "" at the cluster scope`,
      ])
    }
  })

  it('gets a password from a user who may impersonate it, unless its groups, roles or teams grant more', async () => {
    const mia = await openBob(server(), 'mia')
    await allow('mia', [onUsers(['create', 'patch'], ['users', 'users/profile']), impersonate])
    await admin().post(users, { metadata: { name: 'plain' }, spec: {} })
    const accounts: [string, Fields][] = [
      ['master', { groups: ['system:masters'] }],
      ['ruler', { clusterRoles: [{ name: 'cluster-admin' }] }],
      ['member', {}],
    ]
    for (const [name, spec] of accounts) await admin().post(users, { metadata: { name }, spec })
    const spec = { users: ['member'], clusterRoles: [{ name: 'cluster-admin' }] }
    await admin().post(`${management}/teams`, { metadata: { name: 'rulers' }, spec })
    const password = (name: string) =>
      mia.post(`${users}/${name}/profile`, { password: 'set by mia' })
    // Roles follow their users and teams within milliseconds.
    const isRefused = (name: string) => waitUntil(async () => (await password(name)).status === 403)
    expect((await password('plain')).status).to.equal(201)
    expect((await password('master')).status).to.equal(403)
    await Promise.all(['ruler', 'member'].map(isRefused))
  })

  it("cannot be taken over under a scope, not even one's own", async () => {
    await admin().post(keys, {
      metadata: { name: 'scoped' },
      spec: {
        user: 'admin',
        key: 'scoped-key',
        scope: { rules: [{ verbs: ['*'], resources: [{ group: 'management.platform' }] }] },
      },
    })
    const scoped = clientOf(server().running, 'scoped-key')
    const ref = { secretName: 's', secretNamespace: 'default' }
    for (const answer of [
      await set(scoped, 'admin', { passwordRef: ref }),
      await scoped.post(`${users}/admin/profile`, { password: 'x' }),
    ]) {
      expect(String(answer.field('message'))).to.match(
        /how an account is entered is not changed under a scope$/,
      )
    }
  })

  describe("the user's own account", () => {
    let own: HttpClient
    before(async () => {
      own = await openBob(server(), 'own')
      await set(admin(), 'own', { owner: { user: 'own' } })
    })

    const refused: [string, Fields][] = [
      [
        'a password in a Secret of somebody else',
        { spec: { passwordRef: { secretName: 'a', secretNamespace: 'kube-system' } } },
      ],
      [
        'a Secret of somebody else to pull images with',
        { spec: { imagePullSecrets: [{ secretName: 'a', secretNamespace: 'kube-system' }] } },
      ],
      ['claims', { spec: { extraClaims: { role: 'root' } } }],
      [
        'the logins of a user of a provider',
        { metadata: { annotations: { 'platform/sso-identity': 'oidc:boss' } } },
      ],
      ['an invitation', { metadata: { annotations: { 'platform/sso-connector': 'oidc' } } }],
      ['the subject of another', { spec: { subject: 'system:admin' } }],
      ['a group that is bound', { spec: { groups: ['system:masters'] } }],
    ]
    for (const [what, body] of refused) {
      it(`does not get ${what} from the user who owns it`, async () => {
        const answer = await own.patch(`${users}/own`, 'merge-patch+json', body)
        expect(answer.status, answer.text).to.equal(403)
      })
    }
  })

  it('cannot be created under a name that owns objects, is in a team or is bound', async () => {
    const ann = await openBob(server(), 'ann')
    await allow('ann', [onUsers(['create'])])
    await admin().post(`${management}/projects`, {
      metadata: { name: 'left' },
      spec: { owner: { user: 'gone' } },
    })
    await admin().post(`${management}/teams`, {
      metadata: { name: 't' },
      spec: { users: ['member2'] },
    })
    const answers = await Promise.all(
      ['gone', 'member2', 'free'].map((name) => ann.post(users, { metadata: { name } })),
    )
    expect(answers.map(({ status }) => status)).to.deep.equal([403, 403, 201])
  })

  it('cannot be taken over by a key that outlived its creator', async () => {
    const pat = await openBob(server(), 'pat')
    const controller = {
      apiVersion: 'v1',
      kind: 'Namespace',
      name: 'x',
      uid: 'u',
      controller: true,
    }
    const key = await pat.post(keys, {
      metadata: { name: 'kept', ownerReferences: [controller], finalizers: ['pat.test/keep'] },
      spec: { key: 'kept-by-pat' },
    })
    const references = key.field('metadata', 'ownerReferences') as Fields[]
    expect(
      references.filter((one) => one['controller'] === true).map((one) => one['kind']),
    ).to.deep.equal(['User'])
    await admin().delete(`${users}/pat`)
    await admin().post(users, { metadata: { name: 'pat' } })
    await admin().patch(`${keys}/kept`, 'merge-patch+json', { spec: { displayName: 'touched' } })
    expect((await clientOf(server().running, 'kept-by-pat').get('/version')).status).to.equal(401)
    await admin().patch(`${keys}/kept`, 'merge-patch+json', { metadata: { finalizers: null } })
  })

  it('cannot be taken over by a key with the group of a user or a team', async () => {
    await admin().post(users, { metadata: { name: 'kim' } })
    await admin().post(keys, {
      metadata: { name: 'kim' },
      spec: { user: 'kim', key: 'kim', groups: ['platform:user:admin', 'platform:team:t', 'ops'] },
    })
    const self = await clientOf(server().running, 'kim').post(`${management}/selves`, {})
    const groups = self.field('status', 'groups') as string[]
    expect(groups).to.include('ops')
    expect(groups).not.to.include.members(['platform:user:admin'])
    expect(groups).not.to.include.members(['platform:team:t'])
  })
})

describe('names and email addresses of users', () => {
  const server = useTestServer()
  const admin = () => server().admin
  const make = (name: string, spec: Fields = {}) =>
    admin().post(users, { metadata: { name }, spec })

  before(async () => {
    await make('chief', { username: 'The-Chief', email: 'Chief@corp.test' })
  })

  it('of another user are refused with 409 in any case, in a profile and in a User', async () => {
    const tom = await openBob(server(), 'tom')
    for (const profile of [
      { username: 'the-chief' },
      { username: 'CHIEF' },
      { username: ' chief@corp.test' },
      { email: 'chief@CORP.test' },
      { username: 'ｃhief' },
      { username: 'chi\u200bef' },
    ]) {
      const answers = [
        await tom.post(`${users}/tom/profile`, profile),
        await admin().patch(`${users}/tom`, 'merge-patch+json', { spec: profile }),
        await make('other', profile),
        await admin().patch(`${users}/other?fieldManager=m`, 'apply-patch+yaml', {
          apiVersion: 'management.platform/v1',
          kind: 'User',
          metadata: { name: 'other' },
          spec: profile,
        }),
      ]
      expect(
        answers.map(({ status }) => status),
        JSON.stringify(profile),
      ).to.deep.equal([409, 409, 409, 409])
    }
    expect((await make('the-chief')).status).to.equal(409)
    const { json } = await tom.post(`${users}/tom/profile`, {
      username: 'Tom',
      email: 't@corp.test',
    })
    expect(json).to.deep.include({ username: 'Tom', email: 't@corp.test' })
  })

  it('go to one of several concurrent writers', async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        make(`racer-${at}`, { email: at % 2 ? 'Race@x.test' : 'race@x.test' }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([
      201,
      ...Array.from({ length: 11 }, () => 409),
    ])
    const names = answers.flatMap(({ status }, at) => (status === 201 ? [] : [`racer-${at}`]))
    await Promise.all(names.map((name) => make(name)))
    const changes = await Promise.all(
      names.map((name) =>
        admin().patch(`${users}/${name}`, 'merge-patch+json', { spec: { username: 'winner' } }),
      ),
    )
    expect(changes.filter(({ status }) => status === 200)).to.have.length(1)
  })

  it('are free again once unused, and are not taken by a dry run', async () => {
    const dry = await admin().post(`${users}?dryRun=All`, {
      metadata: { name: 'dry' },
      spec: { username: 'sought' },
    })
    expect([dry.status, (await make('holder', { username: 'sought' })).status]).to.deep.equal([
      201, 201,
    ])
    expect((await make('next', { username: 'sought' })).status).to.equal(409)
    await admin().patch(`${users}/holder`, 'merge-patch+json', { spec: { username: 'holder' } })
    expect((await make('next', { username: 'sought' })).status).to.equal(201)
    await admin().delete(`${users}/next`)
    expect((await make('last', { username: 'sought' })).status).to.equal(201)
  })
})

describe('reported user fields', () => {
  const server = useTestServer()
  const admin = () => server().admin
  const teams = `${management}/teams`
  const teamsOf = async (name: string) =>
    (await admin().get(`${users}/${name}`)).field('status', 'teams')
  const becomes = (name: string, want: unknown) =>
    waitUntil(async () => JSON.stringify(await teamsOf(name)) === JSON.stringify(want))

  it('User.status has the teams that name the user or one of its groups, and follows changes', async () => {
    await admin().post(teams, { metadata: { name: 'red' }, spec: { users: ['ida'] } })
    await admin().post(teams, { metadata: { name: 'blue' }, spec: { groups: ['ops'] } })
    const made = await admin().post(users, { metadata: { name: 'ida' }, spec: { groups: ['ops'] } })
    expect(made.field('status', 'teams')).to.deep.equal(['blue', 'red'])
    await admin().patch(`${teams}/red`, 'merge-patch+json', { spec: { users: [] } })
    await becomes('ida', ['blue'])
    await admin().delete(`${teams}/blue`)
    await becomes('ida', undefined)
    await admin().post(teams, {
      metadata: { name: 'green' },
      spec: { groups: ['ops'], users: ['ida'] },
    })
    await becomes('ida', ['green'])
  })

  it('extra claims are visible to the user in Self and in SelfSubjectReview (spec user.extraClaims)', async () => {
    const una = await openBob(server(), 'una')
    const claims = { department: 'sales', scope: '{}' }
    await admin().patch(`${users}/una`, 'merge-patch+json', { spec: { extraClaims: claims } })
    const self = await una.post(`${management}/selves`, {})
    expect(self.field('status', 'user', 'extraClaims')).to.deep.equal(claims)
    const review = await una.post('/apis/authentication.k8s.io/v1/selfsubjectreviews', {})
    expect(review.field('status', 'userInfo', 'extra')).to.deep.equal({
      'claims.platform/department': ['sales'],
      'claims.platform/scope': ['{}'],
    })
  })

  it('pull secrets are readable by the user and members of the team that name them, and by nobody else (spec user.imagePullSecrets)', async () => {
    const secret = '/api/v1/namespaces/default/secrets'
    const data = { '.dockerconfigjson': Buffer.from('{"auths":{}}').toString('base64') }
    await admin().post(secret, {
      metadata: { name: 'registry' },
      type: 'kubernetes.io/dockerconfigjson',
      data,
    })
    await admin().post(secret, { metadata: { name: 'plain' }, data })
    const named = ['registry', 'plain'].map((secretName) => ({
      secretName,
      secretNamespace: 'default',
    }))
    const [vic, wes, xia] = await Promise.all(
      ['vic', 'wes', 'xia'].map((name) => openBob(server(), name)),
    )
    const read = async () =>
      Promise.all(
        [vic, wes, xia].map(async (client) => (await client?.get(`${secret}/registry`))?.status),
      )
    expect(await read()).to.deep.equal([403, 403, 403])
    await admin().patch(`${users}/vic`, 'merge-patch+json', { spec: { imagePullSecrets: named } })
    await admin().post(teams, {
      metadata: { name: 'pullers' },
      spec: { users: ['wes'], imagePullSecrets: named },
    })
    expect(await read()).to.deep.equal([200, 200, 403])
    // Only Secrets with a type for image pulls are readable in this way.
    expect((await vic?.get(`${secret}/plain`))?.status).to.equal(403)
    expect((await vic?.delete(`${secret}/registry`))?.status).to.equal(403)
    await admin().patch(`${users}/vic`, 'merge-patch+json', { spec: { imagePullSecrets: null } })
    expect(await read()).to.deep.equal([403, 200, 403])
  })
})
