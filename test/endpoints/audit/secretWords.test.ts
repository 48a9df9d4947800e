import { expect } from 'chai'
import { ProtobufCodec } from '../../../apiserver/encoding/protobuf/protobufCodec.ts'
import { withoutSecrets } from '../../../apiserver/endpoints/audit/secretWords.ts'
import type { Exchange } from '../../../apiserver/endpoints/exchange.ts'
import type { Schema } from '../../../apiserver/meta/schema.ts'
import { management, useTestServer } from '../support/testServer.ts'

const secret = '%hunter2-is-no-base64%'

/** Fields in which clients write secrets. The rule itself follows the schema, so a new field is guarded without an
 *  entry. */
const places: [path: string, apiVersion: string, kind: string, fields: string[]][] = [
  [
    '/api/v1/namespaces/default/secrets',
    'v1',
    'Secret',
    ['data', 'data.a', 'stringData', 'stringData.a'],
  ],
  [
    `${management}/namespaces/default/sharedsecrets`,
    'management.platform/v1',
    'SharedSecret',
    ['spec.data', 'spec.data.a'],
  ],
  [
    `${management}/ownedaccesskeys`,
    'management.platform/v1',
    'OwnedAccessKey',
    [
      'spec.key',
      'spec.oidcLogin.idToken',
      'spec.oidcLogin.accessToken',
      'spec.oidcLogin.refreshToken',
      'spec.identity.connectorData',
    ],
  ],
  [
    `${management}/configs`,
    'management.platform/v1',
    'Config',
    ['spec.raw', 'status.auth.oidc.clientSecret', 'status.auth.connectors'],
  ],
  [`${management}/selves`, 'management.platform/v1', 'Self', ['spec.accessKey']],
  [
    '/apis/authentication.k8s.io/v1/tokenreviews',
    'authentication.k8s.io/v1',
    'TokenReview',
    ['spec.token'],
  ],
]

function holding(path: readonly string[], value: unknown): unknown {
  return path.reduceRight((below, name) => ({ [name]: below }), value)
}

describe('refusals repeat no secrets', () => {
  const server = useTestServer()

  it('of any secret field of any kind, in JSON, YAML and patches', async () => {
    const { admin } = server()
    let refusals = 0
    for (const [path, apiVersion, kind, fields] of places) {
      const head = { apiVersion, kind }
      for (const dotted of fields) {
        const field = dotted.split('.')
        for (const value of [secret, { a: secret }, [secret], { a: [secret] }]) {
          const body = { ...head, metadata: { name: 'a' }, ...(holding(field, value) as object) }
          const json = '?fieldValidation=Strict&dryRun=All'
          const answers = [
            await admin.post(path + json, body),
            await admin.put(`${path}/a${json}`, body),
            await admin.post(`${path}${json}`, { ...body, metadata: { name: 'Not A Name' } }),
            await admin.patch(`${path}/a${json}`, 'merge-patch+json', body),
            await admin.patch(`${path}/a${json}`, 'strategic-merge-patch+json', body),
            await admin.patch(`${path}/a${json}&fieldManager=me`, 'apply-patch+yaml', body),
            await admin.patch(`${path}/a${json}`, 'json-patch+json', [
              { op: 'test', path: `/${field.join('/')}`, value },
            ]),
          ]
          for (const { status, text } of answers) {
            if (status < 400) continue
            refusals++
            expect(text, `${kind} ${field.join('.')}`).to.not.include('hunter2')
          }
        }
      }
    }
    expect(refusals).to.be.greaterThan(150)
  }).timeout(120_000)

  it('of unreadable bodies, nor of protobuf', async () => {
    const { admin } = server()
    const path = '/api/v1/namespaces/default/secrets'
    for (const text of [
      `{"data":{"a":"hunter2"`,
      `{"metadata":{"name":"a"},"data":{"a":${secret}}}`,
      `{"metadata":{"name":"a"},"stringData":{"a":"${secret}"`,
      `{"metadata":{"name":"a"},"stringData":{"a":"${secret}"}} x`,
    ]) {
      const answer = await admin.post(path, text)
      expect([answer.status, answer.text.includes('hunter2')], text).to.deep.equal([400, false])
    }
    const yaml = admin.with({ 'content-type': 'application/yaml' })
    for (const text of [
      `metadata: {name: a}\ndata:\n  a: [${secret}\n`,
      `metadata: {name: a}\ndata:\n  a: "${secret}\n`,
      `metadata: {name: a}\ndata:\n  a: hunter2\n  hunter2\n- x`,
      `metadata: {name: a}\ndata:\n  a: *hunter2\n`,
    ]) {
      const applied = await admin.patch(`${path}/a?fieldManager=me`, 'apply-patch+yaml', text)
      expect([applied.status, applied.text.includes('hunter2')], text).to.deep.equal([400, false])
      const answer = await yaml.post(path, text)
      expect([answer.status, answer.text.includes('hunter2')], text).to.deep.equal([400, false])
    }
    const codec = new ProtobufCodec()
    const object = {
      kind: 'Secret',
      apiVersion: 'v1',
      metadata: { name: 'A b' },
      stringData: { 'a b': secret },
    }
    const protobuf = admin.with({ 'content-type': 'application/vnd.kubernetes.protobuf' })
    const body = await codec.encode(object, { group: '', version: 'v1', kind: 'Secret' })
    const answer = await protobuf.post(path, body)
    expect([answer.status, answer.text.includes('hunter2')]).to.deep.equal([422, false])
  })

  it('of stored objects, to a user who may patch but not read them', async () => {
    const { admin } = server()
    const path = '/api/v1/namespaces/default/secrets'
    await admin.post(path, { metadata: { name: 'kept' }, stringData: { a: 'stored-value' } })
    const stored = Buffer.from('stored-value').toString('base64')
    const patches: [string, object][] = [
      ['merge-patch+json', { unknown: 1 }],
      ['merge-patch+json', { apiVersion: 'v9' }],
      ['merge-patch+json', { kind: 'Other' }],
      ['json-patch+json', [{ op: 'add', path: '/unknown', value: 1 }]],
    ]
    for (const [type, patch] of patches) {
      const answer = await admin.patch(`${path}/kept?fieldValidation=Strict`, type, patch)
      expect(answer.status).to.be.oneOf([400, 422])
      expect(answer.text, JSON.stringify(patch)).to.not.include(stored)
    }
  })

  it('of the configuration document', async () => {
    const { admin } = server()
    for (const yaml of [
      'auth: {oidc: {clientSecret: hunter2',
      'auth: {oidc: {clientSecret: [hunter2]}}',
      'auth: {oidc: {clientSecret: {hunter2: 1}}}',
      'auth:\n  oidc:\n    clientSecret: hunter2\n   x: y',
      'auth: {oidc: {clientSecret: *hunter2}}',
      'auth: {oidc: {clientSecret: !!int hunter2}}',
      'secretStore: {address: "https://a:hunter2@b"}',
      'audit: {dataStoreEndpoint: "hunter2"}',
      '"hunter2',
      'hunter2',
    ]) {
      const raw = Buffer.from(yaml).toString('base64')
      const answer = await admin.post(`${management}/configs?fieldValidation=Strict`, {
        spec: { raw },
      })
      expect([answer.status, answer.text.includes('hunter2')], yaml).to.deep.equal([422, false])
    }
  })

  it('and replace short values only in quotes, and the message if there are too many secrets', () => {
    const schema: Schema = {
      type: 'object',
      properties: {
        data: { type: 'object', additionalProperties: { type: 'string' }, secret: true },
      },
    }
    const hide = (data: object, message: string) => {
      const exchange = { bodyKind: { schema }, sentBody: { data } } as unknown as Exchange // What it reads.
      const status = {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        code: 422,
      } as const
      return withoutSecrets({ ...status, message }, exchange).message
    }
    expect(hide({ a: 'ab' }, 'label "ab" of a table')).to.equal('label "[redacted]" of a table')
    expect(hide({ a: 'a"b\\nc' }, 'x a\\\\"b\\\\nc y')).to.equal('x a\\\\"b\\\\nc y')
    const many = Object.fromEntries(
      Array.from({ length: 3000 }, (_, at) => [`k${at}`, `secret-${at}`]),
    )
    expect(hide(many, 'x'.repeat(10_000))).to.equal('[redacted]')
  })
})
