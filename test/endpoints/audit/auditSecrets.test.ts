import { expect } from 'chai'
import { WebSocket } from 'ws'
import { audited } from '../support/auditedServer.ts'
import type { Call } from '../support/httpClient.ts'
import { management, users, type TestServer } from '../support/testServer.ts'

const everything = { policy: { rules: [{ level: 'RequestResponse' }] } }

/** Distinct secrets in requests, and all values that the server derives from them. */
class Secrets {
  readonly sent: string[] = []

  /** New secret, longer than the part of a body that a message shows. */
  text(): string {
    const text = `s3cr3t-${this.sent.length}-value`
    this.sent.push(text)
    return text
  }

  base64(): string {
    return Buffer.from(this.text()).toString('base64')
  }

  /** All forms in which a secret may appear. */
  forms(): string[] {
    return this.sent.flatMap((text) => {
      const base64 = Buffer.from(text).toString('base64')
      // Within a longer string the ends of the base64 form depend on the adjacent bytes.
      return [text, base64, base64.replace(/=+$/, ''), Buffer.from(base64).toString('base64')]
    })
  }
}

interface GuardedKind {
  name: string
  path: string
  apiVersion: string
  kind: string
  /** Object with secrets in it. */
  make: (secrets: Secrets) => Record<string, unknown>
  /** Path of a secret for a JSON patch. */
  pointer: string
}

const kinds: readonly GuardedKind[] = [
  {
    name: 'SharedSecret',
    path: `${management}/namespaces/default/sharedsecrets`,
    apiVersion: 'management.platform/v1',
    kind: 'SharedSecret',
    make: (secrets) => ({ spec: { data: { a: secrets.base64(), b: secrets.base64() } } }),
    pointer: '/spec/data/a',
  },
  {
    name: 'Secret',
    path: '/api/v1/namespaces/default/secrets',
    apiVersion: 'v1',
    kind: 'Secret',
    make: (secrets) => ({ data: { a: secrets.base64() }, stringData: { b: secrets.text() } }),
    pointer: '/data/a',
  },
  {
    name: 'OwnedAccessKey',
    path: `${management}/ownedaccesskeys`,
    apiVersion: 'management.platform/v1',
    kind: 'OwnedAccessKey',
    make: (secrets) => ({
      spec: {
        user: 'admin',
        key: secrets.text().padEnd(40, 'x'),
        oidcLogin: { accessToken: secrets.base64() },
        identity: { connectorData: secrets.base64() },
      },
    }),
    pointer: '/spec/key',
  },
]

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration'

/** Reads in every supported form. */
async function read({ admin }: TestServer, path: string): Promise<void> {
  const forms = [
    'application/json',
    'application/yaml',
    'application/vnd.kubernetes.protobuf',
    'application/json;as=Table;g=meta.k8s.io;v=v1',
    'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
    'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1',
  ]
  for (const accept of forms) {
    await admin.get(path, { accept })
    await admin.get(`${path}?pretty=true&includeObject=Object`, { accept })
  }
}

async function writeInEveryWay(server: TestServer, kind: GuardedKind, secrets: Secrets) {
  const { admin } = server
  const { path, apiVersion } = kind
  const head = { apiVersion, kind: kind.kind }
  const copy = JSON.stringify(kind.make(secrets))
  const metadata = (name: string) => ({ name, annotations: { [lastApplied]: copy } })
  const body = (name: string) => ({ ...head, metadata: metadata(name), ...kind.make(secrets) })
  const one = `${path}/one`
  const apply = { 'content-type': 'application/apply-patch+yaml' }

  const watch = await admin.open(`${path}?watch=true&timeoutSeconds=2`)
  watch.resume()
  expect((await admin.post(path, body('one'))).status).to.equal(201)
  await admin.post(path, body('one'))
  await admin.post(`${path}?dryRun=All`, body('dry'))
  await admin.put(one, body('one'))
  for (const type of ['merge-patch+json', 'strategic-merge-patch+json', 'apply-patch+yaml']) {
    await admin.patch(`${one}?fieldManager=me&force=true`, type, body('one'))
  }
  const operations = [
    { op: 'test', path: kind.pointer, value: secrets.text() },
    { op: 'add', path: kind.pointer, value: secrets.base64() },
  ]
  await admin.patch(one, 'json-patch+json', operations.slice(1))
  await admin.patch(one, 'json-patch+json', operations)
  await read(server, one)
  await read(server, path)
  await admin.get(`${path}?watch=true&timeoutSeconds=1`)
  await writeWrongly(server, kind, secrets)
  const sent: Call = { method: 'PATCH', body: body('two'), headers: apply }
  await admin.call(`${path}/two?fieldManager=me`, sent)
  await admin.delete(one)
  await admin.delete(path)
  watch.destroy()
}

/** Sends invalid writes, whose refusals repeat the content. */
async function writeWrongly({ admin }: TestServer, kind: GuardedKind, secrets: Secrets) {
  const { path } = kind
  const head = { apiVersion: kind.apiVersion, kind: kind.kind, metadata: { name: 'bad' } }
  const bad: Call['body'][] = [
    `{"${secrets.text()}`,
    secrets.text(),
    { ...head, spec: secrets.text(), data: secrets.text() },
    {
      ...head,
      spec: { data: { a: secrets.text() }, key: [secrets.text()] },
      data: { a: `%${secrets.text()}` },
    },
    { ...head, spec: { daat: { a: secrets.text() } }, datas: secrets.text() },
    { ...head, kind: 'Other', data: { a: secrets.text() }, spec: { key: secrets.text() } },
    { ...head, ...kind.make(secrets), metadata: { name: 'Not A Name' } },
    {
      ...head,
      data: { [`not a key`]: secrets.text() },
      spec: { ttl: 'long', key: secrets.text() },
    },
  ]
  for (const body of bad) {
    await admin.post(`${path}?fieldValidation=Strict`, body)
    await admin.put(`${path}/one`, body)
    for (const type of ['merge-patch+json', 'json-patch+json', 'apply-patch+yaml']) {
      await admin.patch(`${path}/one?fieldManager=me&fieldValidation=Strict`, type, body)
    }
  }
  await admin.patch(`${path}/one`, 'json-patch+json', [
    { op: 'replace', path: '/spec', value: secrets.text() },
    { op: 'add', path: '/metadata/annotations', value: { [lastApplied]: secrets.text() } },
    secrets.text(),
  ])
}

describe('audit events contain no secrets', () => {
  for (const kind of kinds) {
    it(`of ${kind.name}, for any verb`, async () => {
      const secrets = new Secrets()
      const { text, events } = await audited(everything, async (server) => {
        await writeInEveryWay(server, kind, secrets)
      })
      expect(events.length).to.be.greaterThan(100)
      const verbs = new Set(events.map(({ verb }) => verb))
      expect([...verbs].sort()).to.deep.equal([
        'create',
        'delete',
        'deletecollection',
        'get',
        'list',
        'patch',
        'update',
        'watch',
      ])
      expect(
        events.filter(({ requestObject }) => requestObject !== undefined),
      ).to.not.have.lengthOf(0)
      expect(
        events.filter(({ responseObject }) => responseObject !== undefined),
      ).to.not.have.lengthOf(0)
      expect(secrets.forms().filter((form) => text.includes(form))).to.deep.equal([])
    }).timeout(30_000)
  }

  it('of access keys generated by the server, tokens, headers and addresses', async () => {
    const secrets = new Secrets()
    const { text, events } = await audited(everything, async ({ admin, running }) => {
      const key = await admin.post(`${management}/ownedaccesskeys`, {
        metadata: { name: 'made' },
        spec: { user: 'admin' },
      })
      secrets.sent.push(String(key.field('spec', 'key')), running.adminAccessKey)
      await admin.with({ authorization: `Bearer ${secrets.text()}` }).get(users)
      await admin.with({ authorization: `Basic ${secrets.base64()}` }).get(users)
      await admin.get(`${users}?access_token=${secrets.text()}&token=${secrets.text()}`)
      await admin.get(`/auth/callback?code=${secrets.text()}&state=${secrets.text()}`)
      const subprotocol = (token: string) =>
        `base64url.bearer.authorization.k8s.io.${Buffer.from(token).toString('base64url')}`
      for (const token of [running.adminAccessKey, secrets.text()]) {
        const url = `${String(running.insecureUrl).replace('http', 'ws')}${users}?watch=true&timeoutSeconds=1`
        const socket = new WebSocket(url, ['v1', subprotocol(token)])
        socket.on('error', () => undefined)
        await new Promise((resolve) => socket.on('close', resolve))
      }
      await admin.post('/apis/authentication.k8s.io/v1/tokenreviews', {
        spec: { token: secrets.text() },
      })
      await admin.post(`${users}/admin/profile`, {
        password: secrets.text(),
        currentPassword: secrets.text(),
      })
      await admin.post(`${management}/selves`, { spec: { accessKey: secrets.text() } })
      const token = await admin.post(`${management}/directclusterendpointtokens`, { spec: {} })
      secrets.sent.push(
        token.status === 201 ? String(token.field('status', 'token')) : 'no-token-was-made',
      )
      const raw = Buffer.from(
        JSON.stringify({
          audit: {
            enabled: true,
            path: '/tmp/unused',
            dataStoreEndpoint: `mysql://u:${secrets.text()}@h/d`,
          },
        }),
      ).toString('base64')
      const configs = `${management}/configs`
      const name = String((await admin.get(configs)).field('items', 0, 'metadata', 'name'))
      secrets.sent.push(Buffer.from(raw, 'base64').toString('utf8'))
      await admin.patch(`${configs}/${name}`, 'merge-patch+json', { spec: { raw } })
    })
    expect(events.length).to.be.greaterThan(10)
    expect(secrets.forms().filter((form) => text.includes(form))).to.deep.equal([])
  }).timeout(30_000)
})
