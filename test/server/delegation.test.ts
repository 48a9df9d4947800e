import { expect } from 'chai'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { startServer } from '../../apiserver/server.ts'
import type {
  GivenServerOptions,
  RunningServer,
} from '../../apiserver/runtime/options/serverOptions.ts'
import { authority, certificate, type Issued } from '../support/certificates.ts'
import { http2Request, tlsRequest, type TlsRequest } from '../support/servers/tlsRequest.ts'
import { waitUntil } from '../support/waitUntil.ts'

const rbac = '/apis/rbac.authorization.k8s.io/v1'
const roles = `${rbac}/clusterroles`
const whoami = '/apis/authentication.k8s.io/v1/selfsubjectreviews'
const asMaster = { 'x-remote-user': 'root', 'x-remote-group': 'system:masters' }
const folder = mkdtempSync(join(tmpdir(), 'delegation-'))

function file(name: string, content: string): string {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}

function open(delegation: GivenServerOptions['delegation'] = {}): Promise<RunningServer> {
  const quiet = { logLevel: 'silent', shutdownGraceSeconds: 0 } as const
  return startServer({ ...quiet, storage: 'memory', securePort: 0, delegation })
}

function message(text: string): string {
  // The response is a Status.
  return (JSON.parse(text) as { message: string }).message
}

describe('delegated authentication', () => {
  let clients: Issued
  let proxies: Issued
  let files: { clientCaFile: string; requestheaderClientCaFile: string }

  before(async () => {
    clients = await authority('clients')
    proxies = await authority('proxies')
    files = {
      clientCaFile: file('clients.crt', clients.cert),
      requestheaderClientCaFile: file('proxies.crt', proxies.cert),
    }
  })

  after(() => rmSync(folder, { recursive: true }))

  describe('by client certificates', () => {
    let server: RunningServer
    let shown: Record<'proxy' | 'stranger' | 'bob' | 'foreign', Issued>

    before(async () => {
      server = await open({ ...files, requestheaderAllowedNames: ['proxy'] })
      shown = {
        proxy: await certificate({ cn: 'proxy' }, proxies),
        stranger: await certificate({ cn: 'stranger' }, proxies),
        bob: await certificate({ cn: 'bob', o: ['crew'] }, clients),
        foreign: await certificate({ cn: 'proxy' }, await authority('proxies')),
      }
    })

    after(() => server.stop())

    const cases: {
      name: string
      by?: keyof typeof shown
      token?: 'admin' | 'nobody'
      headers?: TlsRequest['headers']
      path?: string
      want: number
    }[] = [
      { name: 'headers of a front proxy count', by: 'proxy', headers: asMaster, want: 200 },
      {
        name: 'so do rights: without any it is 403',
        by: 'proxy',
        headers: { 'x-remote-user': 'ann', 'x-remote-group': 'crew' },
        want: 403,
      },
      { name: 'headers without a certificate count for nothing', headers: asMaster, want: 401 },
      { name: 'nor do those of another name', by: 'stranger', headers: asMaster, want: 401 },
      { name: 'nor those of a client', by: 'bob', headers: asMaster, want: 403 },
      { name: 'nor those of a foreign authority', by: 'foreign', headers: asMaster, want: 401 },
      { name: 'a front proxy that names nobody is nobody', by: 'proxy', want: 401 },
      {
        name: 'a good token makes up for a bad certificate',
        by: 'foreign',
        token: 'admin',
        want: 200,
      },
      { name: 'a bad token does not', by: 'foreign', token: 'nobody', want: 401 },
      {
        name: 'the word of a front proxy comes before a token',
        by: 'proxy',
        token: 'admin',
        headers: { 'x-remote-user': 'ann' },
        want: 403,
      },
      {
        name: 'headers beside a token count for nothing',
        token: 'admin',
        headers: { 'x-remote-user': 'ann' },
        want: 200,
      },
      { name: 'probes need no certificate', path: '/readyz', want: 200 },
      { name: 'but a bad one is refused there too', by: 'foreign', path: '/readyz', want: 401 },
    ]
    for (const { name, by, token, headers, path = roles, want } of cases) {
      it(`${name}: ${want} (reference 7.1)`, async () => {
        const bearer = token === 'admin' ? server.adminAccessKey : token
        const given = { certificate: by && shown[by], token: bearer, headers }
        const { status } = await tlsRequest(server.url + path, given)
        expect(status).to.equal(want)
      })
    }

    it('401 means unauthenticated, 403 unauthorized (reference 2.3)', async () => {
      const nobody = await tlsRequest(server.url + roles, { certificate: shown.foreign })
      expect(message(nobody.text)).to.equal('Unauthorized')
      const bob = await tlsRequest(server.url + roles, { certificate: shown.bob })
      expect(message(bob.text)).to.equal(
        'clusterroles.rbac.authorization.k8s.io is forbidden: User "bob" cannot list resource ' +
          '"clusterroles" in API group "rbac.authorization.k8s.io" at the cluster scope',
      )
    })

    it('passes all attributes of a user (reference 7.4)', async () => {
      const headers = {
        'X-Remote-User': 'jürgen',
        'X-Remote-Group': ['a, b', 'c'],
        'X-Remote-Extra-acme.dev%2Fteam': ['one', 'two'],
      }
      const bytes = { ...headers, 'X-Remote-User': Buffer.from('jürgen').toString('latin1') }
      const body = { kind: 'SelfSubjectReview', apiVersion: 'authentication.k8s.io/v1' }
      const given = { certificate: shown.proxy, headers: bytes, method: 'POST', body }
      const { text } = await tlsRequest(server.url + whoami, given)
      const { status } = JSON.parse(text) as { status: { userInfo: unknown } }
      expect(status.userInfo).to.deep.equal({
        username: 'jürgen',
        groups: ['a, b', 'c', 'system:authenticated'],
        extra: { 'acme.dev/team': ['one', 'two'] },
      })
    })

    it('works over HTTP/2 too', async () => {
      const url = server.url + roles
      const ask = (by: Issued | undefined, headers: TlsRequest['headers']) =>
        http2Request(url, { certificate: by, headers }).then(({ status }) => status)
      const groups = { 'x-remote-user': 'root', 'x-remote-group': ['a', 'system:masters'] }
      expect([
        await ask(shown.proxy, groups),
        await ask(shown.stranger, groups),
        await ask(undefined, groups),
      ]).to.deep.equal([200, 401, 401])
    })

    it('reads the authorities from the config map (reference 9.3)', async () => {
      const name = 'extension-apiserver-authentication'
      const path = `/api/v1/namespaces/kube-system/configmaps/${name}`
      const { text } = await tlsRequest(server.url + path, { token: server.adminAccessKey })
      const { data } = JSON.parse(text) as { data: unknown }
      expect(data).to.deep.equal({
        'client-ca-file': clients.cert,
        'requestheader-allowed-names': '["proxy"]',
        'requestheader-client-ca-file': proxies.cert,
        'requestheader-extra-headers-prefix': '["x-remote-extra-"]',
        'requestheader-group-headers': '["x-remote-group"]',
        'requestheader-uid-headers': '[]',
        'requestheader-username-headers': '["x-remote-user"]',
      })
    })
  })

  describe('by another server', () => {
    let core: RunningServer
    let extension: RunningServer
    let bob: string
    let kubeconfig: string

    before(async () => {
      core = await open({ ...files, requestheaderAllowedNames: ['proxy'] })
      bob = await makeUser('bob')
      kubeconfig = kubeconfigOf(core, core.adminAccessKey)
      extension = await open({
        authenticationKubeconfig: kubeconfig,
        authenticationTokenTtlMs: 0,
        authorizationKubeconfig: kubeconfig,
        authorizationDeniedTtlMs: 0,
      })
    })

    after(async () => {
      await extension.stop()
      await core.stop()
    })

    const atCore = async (path: string, body: object) => {
      const given = { token: core.adminAccessKey, method: 'POST', body }
      const { status, text } = await tlsRequest(core.url + path, given)
      if (status !== 201) throw new Error(text)
      return JSON.parse(text) as { spec: { key: string } }
    }
    async function makeUser(name: string): Promise<string> {
      const management = '/apis/management.platform/v1'
      await atCore(`${management}/users`, { metadata: { name }, spec: { subject: name } })
      const key = { metadata: { name }, spec: { user: name, type: 'User' } }
      return (await atCore(`${management}/ownedaccesskeys`, key)).spec.key
    }
    const bind = (name: string, user: string) => {
      const apiGroup = 'rbac.authorization.k8s.io'
      return atCore(`${rbac}/clusterrolebindings`, {
        metadata: { name },
        roleRef: { apiGroup, kind: 'ClusterRole', name: 'cluster-admin' },
        subjects: [{ apiGroup, kind: 'User', name: user }],
      })
    }
    const statusOf = async (token: string, path = roles) =>
      (await tlsRequest(extension.url + path, { token })).status

    it('its tokens are accepted, others are 401, and its roles give rights', async () => {
      expect(await statusOf('nobody')).to.equal(401)
      expect(await statusOf(core.adminAccessKey)).to.equal(200)
      expect(await statusOf(bob)).to.equal(403)
      await bind('bob', 'bob')
      expect(await statusOf(bob)).to.equal(200)
    })

    it('its authorities for certificates apply', async () => {
      const proxy = await certificate({ cn: 'proxy' }, proxies)
      const ask = async (headers: Record<string, string>, shown = proxy) =>
        (await tlsRequest(extension.url + roles, { certificate: shown, headers })).status
      expect(await ask(asMaster)).to.equal(200)
      expect(await ask({ 'x-remote-user': 'bob' })).to.equal(200)
      expect(await ask({ 'x-remote-user': 'eve' })).to.equal(403)
      expect(await ask(asMaster, await certificate({ cn: 'other' }, proxies))).to.equal(401)
    })

    it('its changed authorities apply too', async () => {
      const path = '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication'
      const names = { 'requestheader-allowed-names': '["proxy","second"]' }
      const given = {
        token: core.adminAccessKey,
        method: 'PATCH',
        body: { data: names },
        headers: { 'content-type': 'application/merge-patch+json' },
      }
      expect((await tlsRequest(core.url + path, given)).status).to.equal(200)
      const second = await certificate({ cn: 'second' }, proxies)
      await waitUntil(async () => {
        const shown = { certificate: second, headers: asMaster }
        return (await tlsRequest(extension.url + roles, shown)).status === 200
      })
    })

    it('users of this server are authorized here only, since their names may mean others there', async () => {
      const management = '/apis/management.platform/v1'
      const here = async (path: string, body: object) => {
        const given = { token: extension.adminAccessKey, method: 'POST', body }
        return JSON.parse((await tlsRequest(extension.url + path, given)).text) as {
          spec: { key: string }
        }
      }
      await here(`${management}/users`, { metadata: { name: 'bob' }, spec: { subject: 'bob' } })
      const spec = { user: 'bob', type: 'User' }
      const { spec: made } = await here(`${management}/ownedaccesskeys`, {
        metadata: { name: 'b' },
        spec,
      })
      expect(await statusOf(made.key)).to.equal(403)
    })

    it('a partial list of the other server gives no rights here', async () => {
      const eve = await makeUser('eve')
      expect(
        (await tlsRequest(`${core.url}/apis/management.platform/v1/users`, { token: eve })).status,
      ).to.equal(200)
      const { text } = await tlsRequest(`${extension.url}/apis/management.platform/v1/users`, {
        token: eve,
      })
      expect((JSON.parse(text) as { items: unknown[] }).items).to.deep.equal([])
    })

    it('without the right to read there, the server does not start', async () => {
      const authenticationKubeconfig = kubeconfigOf(core, await makeUser('weak'), 'weak')
      const words = await open({ authenticationKubeconfig }).catch(String)
      expect(words).to.match(
        /^StartError: unable to load configmap based request-header-client-ca-file:/,
      )
      const tolerant = await open({
        authenticationKubeconfig,
        authenticationTolerateLookupFailure: true,
      })
      await tolerant.stop()
    })

    it('while it is down, tokens are 401 and rights 500 (reference 2.4)', async () => {
      const { requestheaderClientCaFile } = files
      const authorizationKubeconfig = kubeconfig
      const left = await open({
        requestheaderClientCaFile,
        authenticationKubeconfig: kubeconfig,
        authenticationSkipLookup: true,
        authorizationKubeconfig,
      })
      await core.stop()
      const token = await tlsRequest(left.url + roles, { token: bob })
      expect([token.status, message(token.text)]).to.deep.equal([401, 'Unauthorized'])
      const proxy = await certificate({ cn: 'any' }, proxies)
      const given = { certificate: proxy, headers: { 'x-remote-user': 'bob' } }
      const { status, text } = await tlsRequest(left.url + roles, given)
      expect(status).to.equal(500)
      const reviews = '/apis/authorization.k8s.io/v1/subjectaccessreviews'
      expect(text).to.include(`Internal Server Error: "${roles}": Post "${core.url}${reviews}": `)
      const admin = await tlsRequest(left.url + roles, { token: left.adminAccessKey })
      expect(admin.status).to.equal(200)
      await left.stop()
    })
  })
})

function kubeconfigOf({ url, caCertificate = '' }: RunningServer, token: string, name = 'core') {
  const ca = Buffer.from(caCertificate).toString('base64')
  return file(
    `${name}.kubeconfig`,
    stringify({
      'current-context': 'core',
      contexts: [{ name: 'core', context: { cluster: 'core', user: 'me' } }],
      clusters: [{ name: 'core', cluster: { server: url, 'certificate-authority-data': ca } }],
      users: [{ name: 'me', user: { token } }],
    }),
  )
}
