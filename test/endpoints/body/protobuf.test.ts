import { expect } from 'chai'
import type { IncomingMessage } from 'node:http'
import { ProtobufCodec } from '../../../apiserver/encoding/protobuf/protobufCodec.ts'
import type { GroupVersionKind } from '../../../apiserver/meta/types.ts'
import type { Answer } from '../support/httpClient.ts'
import { failure } from '../support/status.ts'
import { users, useTestServer } from '../support/testServer.ts'

const protobufType = 'application/vnd.kubernetes.protobuf'
const configMaps = '/api/v1/namespaces/default/configmaps'
const core = (kind: string): GroupVersionKind => ({ group: '', version: 'v1', kind })

describe('a built-in kind in protobuf', () => {
  const server = useTestServer()
  const codec = new ProtobufCodec()
  const client = () => server().admin.with({ accept: protobufType, 'content-type': protobufType })

  const configMap = (name: string, data: Record<string, string> = {}) =>
    codec.encode(
      { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name }, data },
      core('ConfigMap'),
    )

  async function decoded(answer: Answer): Promise<Record<string, unknown>> {
    expect(answer.headers['content-type']).to.equal(protobufType)
    return (await codec.decode(answer.bytes)).value
  }

  it('create, get and update match their JSON forms (reference 0.4, 1.12)', async () => {
    const { admin } = server()
    const made = await client().post(configMaps, await configMap('one', { a: 'b' }))
    expect(made.status).to.equal(201)
    const object = await decoded(made)
    expect(object['data']).to.deep.equal({ a: 'b' })
    const json = await admin.get(`${configMaps}/one`)
    expect(object).to.deep.equal(json.json)
    expect(await decoded(await client().get(`${configMaps}/one`))).to.deep.equal(json.json)
    const changed = await client().put(`${configMaps}/one`, await configMap('one', { a: 'c' }))
    expect([changed.status, (await decoded(changed))['data']]).to.deep.equal([200, { a: 'c' }])
  })

  it('clients send protobuf and accept either form (reference 0.4)', async () => {
    const accept = `${protobufType},application/json`
    const answer = await client()
      .with({ accept })
      .post(configMaps, await configMap('either'))
    expect([answer.status, answer.headers['content-type']]).to.deep.equal([201, protobufType])
    const json = await client()
      .with({ accept: 'application/json' })
      .post(configMaps, await configMap('json'))
    expect([json.status, json.field('kind')]).to.deep.equal([201, 'ConfigMap'])
  })

  it('a list (reference 1.10, 6.3)', async () => {
    const json = await server().admin.get(configMaps)
    const list = await decoded(await client().get(configMaps))
    expect([list['kind'], list['apiVersion']]).to.deep.equal(['ConfigMapList', 'v1'])
    expect(list['items']).to.deep.equal(json.field('items'))
  })

  it('metadata alone (reference 1.9)', async () => {
    const accept = `${protobufType};as=PartialObjectMetadataList;v=v1;g=meta.k8s.io`
    const list = await decoded(await client().get(configMaps, { accept }))
    expect(list['kind']).to.equal('PartialObjectMetadataList')
    // Items have no kind in the wire form.
    const [first] = list['items'] as object[]
    expect(Object.keys(first ?? {})).to.deep.equal(['metadata'])
    const one = `${protobufType};as=PartialObjectMetadata;v=v1;g=meta.k8s.io`
    const item = await decoded(await client().get(`${configMaps}/one`, { accept: one }))
    expect([item['kind'], item['data']]).to.deep.equal(['PartialObjectMetadata', undefined])
  })

  it('tables are not available: the clause is skipped (reference 1.9)', async () => {
    const table = 'as=Table;v=v1;g=meta.k8s.io'
    const accept = `${protobufType};${table},application/json;${table}`
    const answer = await client().get(configMaps, { accept })
    expect([answer.headers['content-type'], answer.field('kind')]).to.deep.equal([
      'application/json',
      'Table',
    ])
  })

  it('errors are a Status in protobuf (reference 1.9, 2.1)', async () => {
    const missing = await client().get(`${configMaps}/nobody`)
    const value = await decoded(missing)
    expect([missing.status, value]).to.deep.equal([
      404,
      failure(404, 'NotFound', 'configmaps "nobody" not found', {
        name: 'nobody',
        kind: 'configmaps',
      }),
    ])
    const unknown = await client().with({ authorization: 'Bearer nobody' }).get(configMaps)
    expect([unknown.status, (await decoded(unknown))['reason']]).to.deep.equal([
      401,
      'Unauthorized',
    ])
    const nowhere = await client().get('/api/v1/things')
    expect([nowhere.status, (await decoded(nowhere))['code']]).to.deep.equal([404, 404])
  })

  it('DeleteOptions, and the Status of a success (reference 3.5)', async () => {
    await client().post(configMaps, await configMap('gone'))
    const uid = String((await server().admin.get(`${configMaps}/gone`)).field('metadata', 'uid'))
    const options = (sent: string) =>
      codec.encode(
        { kind: 'DeleteOptions', apiVersion: 'v1', preconditions: { uid: sent } },
        core('DeleteOptions'),
      )
    const refused = await client().delete(`${configMaps}/gone`, await options('other'))
    expect([refused.status, (await decoded(refused))['reason']]).to.deep.equal([409, 'Conflict'])
    const done = await client().delete(`${configMaps}/gone`, await options(uid))
    expect(await decoded(done)).to.deep.equal({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Success',
      details: { name: 'gone', kind: 'configmaps', uid },
    })
  })

  it('a watch: frames with their length, each a whole object (reference 5.3)', async () => {
    const version = String(
      (await server().admin.get(configMaps)).field('metadata', 'resourceVersion'),
    )
    const response = await client().open(`${configMaps}?watch=1&resourceVersion=${version}`, {
      headers: { accept: `${protobufType};stream=watch` },
    })
    expect([response.statusCode, response.headers['content-type']]).to.deep.equal([
      200,
      `${protobufType};stream=watch`,
    ])
    await client().post(configMaps, await configMap('seen', { a: 'b' }))
    const frame = await firstFrame(response)
    // WatchEvent: the type is field 1, the object field 2.
    expect(frame.subarray(0, 7)).to.deep.equal(Buffer.from('\x0a\x05ADDED'))
    const at = frame.indexOf('k8s\0')
    const { value } = await codec.decode(frame.subarray(at))
    expect([value['kind'], value['data']]).to.deep.equal(['ConfigMap', { a: 'b' }])
    response.destroy()
  })

  it('an error of a watch is a Status in a frame (reference 5.6)', async () => {
    const response = await client().open(
      `${configMaps}?watch=1&resourceVersion=999999&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
    )
    const frame = await firstFrame(response)
    expect(frame.subarray(0, 7)).to.deep.equal(Buffer.from('\x0a\x05ERROR'))
    const { value } = await codec.decode(frame.subarray(frame.indexOf('k8s\0')))
    expect([value['kind'], value['code']]).to.deep.equal(['Status', 504])
    response.destroy()
  })

  const broken = [
    ['nothing', Buffer.alloc(0)],
    ['no magic', Buffer.from('{"kind":"ConfigMap"}')],
    ['the magic alone', Buffer.from('k8s\0')],
    ['a length beyond the end', Buffer.from('k8s\0\x12\xff\x01', 'latin1')],
    ['noise', Buffer.from('k8s\0\xff\xff\xff\xff\xff', 'latin1')],
  ] as const
  for (const [what, body] of broken) {
    it(`${what} is 400 (reference 1.12)`, async () => {
      const answer = await client().post(configMaps, body)
      expect([answer.status, (await decoded(answer))['reason']]).to.deep.equal([400, 'BadRequest'])
    })
  }

  it('another kind is 400 (reference 1.12)', async () => {
    const secret = await codec.encode(
      { kind: 'Secret', apiVersion: 'v1', metadata: { name: 's' } },
      core('Secret'),
    )
    expect((await client().post(configMaps, secret)).status).to.equal(400)
  })

  it('kinds of other groups have no protobuf: 415 and 406, with a Status in the requested form (reference 1.9, 1.12)', async () => {
    const { admin } = server()
    const sent = await admin.post(users, await configMap('x'), { 'content-type': protobufType })
    expect([sent.status, sent.field('reason')]).to.deep.equal([415, 'UnsupportedMediaType'])
    const asked = await admin.get(users, { accept: protobufType })
    expect([asked.status, (await decoded(asked))['reason']]).to.deep.equal([406, 'NotAcceptable'])
    const either = await admin.get(users, { accept: `${protobufType},application/json` })
    expect([either.status, either.field('kind')]).to.deep.equal([200, 'UserList'])
  })

  it('metadata of kinds of other groups has a protobuf form, in lists and watches too', async () => {
    const as = (kind: string) => `${protobufType};as=${kind};v=v1;g=meta.k8s.io`
    const json = await server().admin.get(users)
    const list = await decoded(
      await client().get(users, { accept: as('PartialObjectMetadataList') }),
    )
    expect(list['kind']).to.equal('PartialObjectMetadataList')
    expect(list['metadata']).to.deep.equal(json.field('metadata'))
    expect((list['items'] as object[])[0]).to.deep.equal({
      metadata: json.field('items', 0, 'metadata'),
    })
    const one = await decoded(
      await client().get(`${users}/admin`, {
        accept: `${as('PartialObjectMetadata')},application/json`,
      }),
    )
    expect([one['kind'], one['spec']]).to.deep.equal(['PartialObjectMetadata', undefined])
    const watch = await client().get(`${users}?watch=1&timeoutSeconds=1`, {
      accept: as('PartialObjectMetadata'),
    })
    expect([watch.status, watch.headers['content-type']]).to.deep.equal([
      200,
      `${protobufType};stream=watch`,
    ])
    expect(watch.bytes.includes('PartialObjectMetadata')).to.equal(true)
  })
})

async function firstFrame(response: IncomingMessage): Promise<Buffer> {
  let received = Buffer.alloc(0)
  // No encoding is set, so chunks are buffers.
  for await (const chunk of response) {
    received = Buffer.concat([received, chunk as Buffer])
    if (received.length < 4) continue
    const end = 4 + received.readUInt32BE(0)
    if (received.length >= end) return received.subarray(4, end)
  }
  throw new Error('the watch is over')
}
