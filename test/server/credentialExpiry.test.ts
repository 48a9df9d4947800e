import { expect } from 'chai'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { Agent as TlsAgent, request as httpsRequest } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'yaml'
import { startServer } from '../../apiserver/server.ts'
import type { RunningServer } from '../../apiserver/runtime/options/serverOptions.ts'
import type { HttpClient } from '../endpoints/support/httpClient.ts'
import { clientOf, management } from '../endpoints/support/testServer.ts'
import { authority, certificate, type Issued } from '../support/certificates.ts'
import { FakeClock } from '../support/fakes/fakeClock.ts'
import { clusterBase, instanceBase, instances, makePlanes } from './planes/planeServer.ts'

const maps = '/api/v1/namespaces/default/configmaps'
const lifeSeconds = 600
/**
 * Time longer than the lifetime of the credentials and the tolerated clock skew, and shorter than
 * any watch.
 */
const laterMs = 700_000

/** Request with a credential, and its plane. */
interface Shown {
  base: string
  open: (path: string) => Promise<IncomingMessage>
}

describe('an open watch after its credential expired', function () {
  this.timeout(20_000)
  const clock = new FakeClock(Date.now())
  let folder: string
  let running: RunningServer
  let admin: HttpClient
  let clients: Issued

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'expiry-'))
    clients = await authority('clients')
    const clientCaFile = join(folder, 'clients.crt')
    await writeFile(clientCaFile, clients.cert)
    running = await startServer(
      {
        ...{ storage: 'memory', logLevel: 'silent' },
        ...{ securePort: 0, insecurePort: 0, shutdownGraceSeconds: 1 },
        delegation: { clientCaFile },
      },
      { clock },
    )
    admin = clientOf(running)
    await makePlanes(admin, { hosts: ['one'], virtual: ['web'] })
  })
  after(async () => {
    await running.stop()
    await rm(folder, { recursive: true })
  })

  const byToken = (token: unknown, base = ''): Shown => {
    const client = clientOf(running, String(token))
    return { base, open: (path) => client.open(path) }
  }
  const byCertificate = (tls: { cert: string; key: string }, base = ''): Shown => ({
    base,
    open: (path) =>
      new Promise((resolve, reject) => {
        const agent = new TlsAgent({ keepAlive: false })
        const options = { ...tls, ca: running.caCertificate, agent }
        httpsRequest(`${running.url}${path}`, options, resolve).on('error', reject).end()
      }),
  })
  async function status({ base, open }: Shown): Promise<number> {
    const response = await open(`${base}${maps}`)
    response.resume()
    return response.statusCode ?? 0
  }
  async function watch({ base, open }: Shown): Promise<IncomingMessage> {
    const stream = await open(`${base}${maps}?watch=1`)
    expect(stream.statusCode).to.equal(200)
    return stream.setEncoding('utf8')
  }
  const keyOf = async (name: string, spec: object): Promise<Shown> => {
    const made = await admin.post(`${management}/ownedaccesskeys`, {
      metadata: { name },
      spec: { user: 'admin', ...spec },
    })
    return byToken(made.field('spec', 'key'))
  }

  const lasting: { name: string; show: () => Promise<Shown> }[] = [
    {
      name: 'the certificate of a kubeconfig',
      show: async () => {
        const spec = { clientCert: true, certificateTTL: lifeSeconds }
        const made = await admin.post(`${instances}/web/kubeconfig`, { spec })
        const { users } = parse(String(made.field('status', 'kubeConfig'))) as {
          users: { user: Record<string, string> }[]
        }
        const part = (what: string) =>
          Buffer.from(users[0]?.user[`client-${what}-data`] ?? '', 'base64').toString()
        return byCertificate({ cert: part('certificate'), key: part('key') }, instanceBase('web'))
      },
    },
    {
      name: 'a certificate of an authority that is believed',
      show: async () => {
        const to = new Date(clock.now() + lifeSeconds * 1000)
        const subject = { cn: 'ann', o: ['system:masters'] }
        return byCertificate(await certificate({ ...subject, to }, clients))
      },
    },
    {
      name: 'the token of a service account',
      show: async () => {
        const one = clusterBase('one')
        const accounts = `${one}/api/v1/namespaces/default/serviceaccounts`
        await admin.post(accounts, { metadata: { name: 'robot' } })
        await admin.post(`${one}/apis/rbac.authorization.k8s.io/v1/clusterrolebindings`, {
          metadata: { name: 'robot' },
          roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
          subjects: [{ kind: 'ServiceAccount', name: 'robot', namespace: 'default' }],
        })
        const spec = { expirationSeconds: lifeSeconds }
        const made = await admin.post(`${accounts}/robot/token`, { spec })
        return byToken(made.field('status', 'token'), one)
      },
    },
    {
      name: 'a token for direct endpoints',
      show: async () => {
        const spec = { ttl: lifeSeconds }
        const made = await admin.post(`${management}/directclusterendpointtokens`, { spec })
        return byToken(made.field('status', 'token'), clusterBase('one'))
      },
    },
  ]
  for (const [at, { name, show }] of lasting.entries()) {
    it(`continues when ${name} expires, as on the real server, and a new request is 401`, async () => {
      const shown = await show()
      const stream = await watch(shown)
      clock.advance(laterMs)
      expect(await status(shown)).to.equal(401)
      const metadata = { name: `later-${at}` }
      await admin.post(`${shown.base}${maps}`, { metadata })
      let told = ''
      for await (const chunk of stream) {
        told += String(chunk)
        if (told.includes(metadata.name)) break
      }
      expect(told).to.include(`"name":"${metadata.name}"`)
    })
  }

  const setLimits = async (auth: object) => {
    const raw = Buffer.from(JSON.stringify({ auth })).toString('base64')
    const path = `${management}/configs/config`
    const { metadata } = (await admin.get(path)).json as { metadata: object }
    const set = await admin.put(path, { metadata, spec: { raw } })
    expect(set.status, set.text).to.equal(200)
  }
  const ending: { name: string; spec: object; limits?: object }[] = [
    { name: 'ttl', spec: { ttl: lifeSeconds } },
    {
      name: 'ttlAfterLastActivity, as nobody uses it',
      spec: { ttl: lifeSeconds, ttlAfterLastActivity: true },
    },
    {
      name: 'loginAccessKeyTTLSeconds',
      spec: { type: 'Login' },
      limits: { loginAccessKeyTTLSeconds: lifeSeconds },
    },
  ]
  for (const [at, { name, spec, limits }] of ending.entries()) {
    it(`ends with its access key: ${name} (spec auth.2, auth.3)`, async () => {
      if (limits !== undefined) await setLimits(limits)
      const shown = await keyOf(`key-${at}`, spec)
      const stream = await watch(shown)
      const ended = new Promise((resolve) => stream.resume().on('end', resolve))
      clock.advance(laterMs)
      await ended
      expect(await status(shown)).to.equal(401)
    })
  }
})
