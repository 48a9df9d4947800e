import { expect } from 'chai'
import { connect as connectHttp2 } from 'node:http2'
import { request as httpsRequest } from 'node:https'
import { parse } from 'yaml'
import {
  certifiedTarget,
  certifiedUids,
} from '../../../apiserver/authentication/certificates/clientCertificates.ts'
import { defaultNames } from '../../../apiserver/meta/names/namesProfile.ts'
import type { CertifiedKey } from '../../../apiserver/http/pki/certificate.ts'
import { issueAuthority, issueClient } from '../../../apiserver/http/pki/issueCertificates.ts'
import { realClock } from '../../../apiserver/runtime/realClock.ts'
import { realRandom } from '../../../apiserver/runtime/realRandom.ts'
import type { HttpClient } from '../../endpoints/support/httpClient.ts'
import { clientOf, management, useTestServer } from '../../endpoints/support/testServer.ts'
import {
  clusterBase,
  instanceBase,
  instances,
  letUse,
  makePlanes,
  userClient,
} from './planeServer.ts'

const pods = '/api/v1/namespaces/default/pods'

interface Credentials {
  token?: string
  'client-certificate-data'?: string
  'client-key-data'?: string
}

describe('credentials of control planes', () => {
  const server = useTestServer()
  let admin: HttpClient

  before(async () => {
    admin = server().admin
    await makePlanes(admin, { hosts: ['one', 'two'], virtual: ['web', 'db'] })
  })

  /** User entry of a kubeconfig. */
  async function credentials(client: HttpClient, name: string, spec: object): Promise<Credentials> {
    const answer = await client.post(`${instances}/${name}/kubeconfig`, { spec })
    expect(answer.status, answer.text).to.equal(201)
    const config = parse(String(answer.field('status', 'kubeConfig'))) as {
      users: { user: Credentials }[]
    }
    return config.users[0]?.user ?? {}
  }

  const statuses = async (client: HttpClient, paths: string[]) => {
    const codes = []
    for (const path of paths) codes.push((await client.get(path)).status)
    return codes
  }

  it("an instance's access key is valid for its virtual cluster only (spec kubeconfig.kubeConfig)", async () => {
    const { token = '' } = await credentials(admin, 'web', {})
    const client = clientOf(server().running, token)
    expect(
      await statuses(client, [
        `${instanceBase('web')}${pods}`,
        `${instanceBase('web')}/api`,
        `${instanceBase('db')}${pods}`,
        `${instanceBase('db')}/api`,
        `${clusterBase('one')}${pods}`,
        `${clusterBase('one')}/openapi/v2`,
        `${management}/users`,
      ]),
    ).to.deep.equal([200, 200, 403, 403, 403, 403, 403])
  })

  it('a scope of one cluster is valid for its plane only', async () => {
    await letUse(admin, 'sam', 'clusters')
    const scope = { clusters: [{ cluster: 'one' }] }
    const sam = await userClient(server(), 'sam', { name: 'sam-one', scope })
    const paths = [`${clusterBase('one')}${pods}`, `${clusterBase('two')}${pods}`]
    expect(await statuses(sam, paths)).to.deep.equal([200, 403])
  })

  it('rules of a scope apply inside', async () => {
    const rules = [{ requestTargets: ['Cluster'], cluster: 'one', verbs: ['list'] }]
    const sam = await userClient(server(), 'sam', { name: 'sam-rules', scope: { rules } })
    const one = clusterBase('one')
    expect(
      await statuses(sam, [`${one}${pods}`, `${one}${pods}/x`, `${clusterBase('two')}/api`]),
    ).to.deep.equal([200, 403, 403])
    const post = await sam.post(`${one}/api/v1/namespaces/default/configmaps`, {})
    expect(post.status).to.equal(403)
  })

  describe('endpoint tokens', () => {
    const tokenFor = async (spec: object) => {
      const made = await admin.post(`${management}/directclusterendpointtokens`, { spec })
      expect(made.status, made.text).to.equal(201)
      return clientOf(server().running, String(made.field('status', 'token')))
    }

    it('spec endpoint token: is valid for planes of clusters only, neither for virtual ones nor the management API', async () => {
      const client = await tokenFor({})
      const paths = [`${clusterBase('one')}${pods}`, `${instanceBase('web')}${pods}`, pods]
      expect(await statuses(client, paths)).to.deep.equal([200, 401, 401])
    })

    it('ends its watches when its user gets another token generation', async () => {
      await admin.post(`${management}/users`, {
        metadata: { name: 'kim' },
        spec: { subject: 'kim', groups: ['system:masters'] },
      })
      const kim = await userClient(server(), 'kim', { name: 'kim' })
      const made = await kim.post(`${management}/directclusterendpointtokens`, { spec: {} })
      const client = clientOf(server().running, String(made.field('status', 'token')))
      const stream = await client.open(`${clusterBase('one')}${pods}?watch=1`)
      expect(stream.statusCode).to.equal(200)
      const ended = new Promise((resolve) => stream.resume().on('end', resolve))
      await admin.patch(`${management}/users/kim`, 'merge-patch+json', {
        spec: { tokenGeneration: 2 },
      })
      await ended
    })

    it('spec endpoint token scope: is valid for what its scope names', async () => {
      const client = await tokenFor({ scope: { clusters: [{ cluster: 'two' }] } })
      const paths = [`${clusterBase('one')}${pods}`, `${clusterBase('two')}${pods}`]
      expect(await statuses(client, paths)).to.deep.equal([403, 200])
    })
  })

  describe('client certificates', () => {
    const keyOf = (found: Credentials): CertifiedKey => ({
      cert: Buffer.from(found['client-certificate-data'] ?? '', 'base64').toString(),
      key: Buffer.from(found['client-key-data'] ?? '', 'base64').toString(),
    })

    function get(path: string, tls: Partial<CertifiedKey>): Promise<number> {
      const { url, caCertificate: ca } = server().running
      return new Promise((resolve, reject) => {
        const request = httpsRequest(`${url}${path}`, { ...tls, ca, agent: false }, (response) => {
          response.resume()
          resolve(response.statusCode ?? 0)
        })
        request.on('error', reject)
        request.end()
      })
    }

    function getHttp2(path: string, tls: Partial<CertifiedKey>): Promise<number> {
      const { url, caCertificate: ca } = server().running
      const session = connectHttp2(url, { ...tls, ca })
      return new Promise<number>((resolve, reject) => {
        session.on('error', reject)
        const stream = session.request({ ':path': path })
        stream.on('response', (headers) => resolve(Number(headers[':status'])))
        stream.on('error', reject)
        stream.resume()
      }).finally(() => session.close())
    }

    const codesOf = async (key: Partial<CertifiedKey>, paths: string[]) => {
      const codes = []
      for (const path of paths) codes.push(await get(path, key))
      return codes
    }
    const web = `${instanceBase('web')}${pods}`
    const elsewhere = [`${instanceBase('db')}${pods}`, `${clusterBase('one')}${pods}`, pods]

    it('is valid for its virtual cluster only (spec kubeconfig.clientCert)', async () => {
      const key = keyOf(await credentials(admin, 'web', { clientCert: true }))
      expect(await codesOf(key, [web, ...elsewhere])).to.deep.equal([200, 401, 401, 401])
      expect(await getHttp2(web, key)).to.equal(200)
      expect(await getHttp2(pods, key)).to.equal(401)
      expect(await getHttp2(`${web}?watch=1&timeoutSeconds=1`, key)).to.equal(200)
    })

    it('allows version and health checks of its virtual cluster, which helm requests first', async () => {
      const key = keyOf(await credentials(admin, 'web', { clientCert: true }))
      const paths = ['/version', '/healthz', '/readyz'].map((path) => instanceBase('web') + path)
      expect(await codesOf(key, paths)).to.deep.equal([200, 200, 200])
      expect(await codesOf({}, paths)).to.deep.equal([403, 403, 403])
      expect(await codesOf(key, ['/version', '/healthz'])).to.deep.equal([200, 200])
    })

    it('a connection without one works as before', async () => {
      expect(await codesOf({}, [web, '/readyz'])).to.deep.equal([401, 200])
    })

    /** Certificate from the server's CA, with the given changes. */
    async function issued(
      change: { lifeMs?: number; user?: string; groups?: string[]; targets?: string[] },
      authority?: CertifiedKey,
    ): Promise<CertifiedKey> {
      const instance = (await admin.get(`${instances}/web`)).field('metadata', 'uid')
      const holder = (await admin.get(`${management}/users/admin`)).field('metadata', 'uid')
      const sources = { clock: realClock, random: realRandom }
      const request = {
        user: 'admin',
        groups: ['platform:user:*', 'platform:user:admin'],
        targets: [
          certifiedTarget(defaultNames, { project: 'shop', virtualCluster: 'web' }),
          certifiedUids(defaultNames, String(instance), String(holder)),
        ],
        lifeMs: 60_000,
        ...change,
      }
      const foreign = authority ?? (await issueAuthority(undefined, sources))
      return issueClient(foreign, request, sources)
    }

    it("of another authority with the server's names is refused: 401", async () => {
      const key = await issued({})
      expect(await get(web, key)).to.equal(401)
      expect(await getHttp2(web, key)).to.equal(401)
    })

    it('of a disabled or deleted user, or one created again, is refused', async () => {
      await letUse(admin, 'dan', 'virtualclusterinstances')
      await admin.post('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
        metadata: { name: 'dan-admin' },
        roleRef: {
          apiGroup: 'rbac.authorization.k8s.io',
          kind: 'ClusterRole',
          name: 'cluster-admin',
        },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'dan' }],
      })
      const dan = await userClient(server(), 'dan', { name: 'dan' })
      const key = keyOf(await credentials(dan, 'web', { clientCert: true }))
      const codes = [await get(web, key)]
      const disable = (disabled: boolean) =>
        admin.patch(`${management}/users/dan`, 'merge-patch+json', { spec: { disabled } })
      await disable(true)
      codes.push(await get(web, key))
      await disable(false)
      codes.push(await get(web, key))
      await admin.delete(`${management}/users/dan`)
      codes.push(await get(web, key))
      await admin.post(`${management}/users`, {
        metadata: { name: 'dan' },
        spec: { subject: 'dan' },
      })
      codes.push(await get(web, key))
      expect(codes).to.deep.equal([200, 401, 200, 401, 401])
    })

    /** Resolves with the status of a watch, then when it has ended. */
    function watch(
      path: string,
      tls: Partial<CertifiedKey>,
    ): Promise<{ status: number; ended: Promise<void> }> {
      const { url, caCertificate: ca } = server().running
      return new Promise((resolve, reject) => {
        const given = { ...tls, ca, agent: false }
        const request = httpsRequest(`${url}${path}?watch=1`, given, (response) => {
          response.resume()
          const ended = new Promise<void>((end) => response.on('end', end))
          resolve({ status: response.statusCode ?? 0, ended })
        })
        request.on('error', reject)
        request.end()
      })
    }

    for (const [change, act] of [
      [
        'disabled',
        (user: string) =>
          admin.patch(`${management}/users/${user}`, 'merge-patch+json', {
            spec: { disabled: true },
          }),
      ],
      ['deleted', (user: string) => admin.delete(`${management}/users/${user}`)],
    ] as const) {
      it(`ends its watches when its user is ${change}`, async () => {
        const user = `eve-${change}`
        await admin.post(`${management}/users`, {
          metadata: { name: user },
          spec: { subject: user, groups: ['system:masters'] },
        })
        const eve = await userClient(server(), user, { name: user })
        const key = keyOf(await credentials(eve, 'web', { clientCert: true }))
        const { status, ended } = await watch(web, key)
        expect(status).to.equal(200)
        await act(user)
        await ended
        expect(await get(web, key)).to.equal(401)
      })
    }

    it('of an instance that was created again is refused', async () => {
      await makePlanes(admin, { virtual: ['brief'] })
      const key = keyOf(await credentials(admin, 'brief', { clientCert: true }))
      const path = `${instanceBase('brief')}${pods}`
      expect(await get(path, key)).to.equal(200)
      await admin.delete(`${instances}/brief`)
      await makePlanes(admin, { virtual: ['brief'] })
      expect(await get(path, key)).to.equal(401)
    })
  })
})
