import { expect } from 'chai'
import { ProtobufCodec } from '../../../apiserver/encoding/protobuf/protobufCodec.ts'
import { definitionsPath, widgetDefinition, widgetsPath } from '../../support/definitions.ts'
import { management, useTestServer } from '../support/testServer.ts'

const configMaps = '/api/v1/namespaces/default/configmaps'
const keys = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty']
const json = (text: string) => JSON.parse(text) as object

/** Keys with a meaning in the runtime, but none in the API: each is ordinary data. */
describe('keys inherited by objects of the runtime', () => {
  const server = useTestServer()
  const codec = new ProtobufCodec()

  before(async () => {
    const properties = Object.fromEntries(
      keys.map((key) => [key, { type: 'string', default: 'd' }]),
    )
    const any = { 'x-kubernetes-preserve-unknown-fields': true }
    const schema = {
      properties: {
        open: { type: 'object', ...any },
        map: { type: 'object', additionalProperties: { type: 'string' } },
        named: { type: 'object', properties },
        ruled: {
          type: 'object',
          additionalProperties: { type: 'string' },
          'x-kubernetes-validations': [{ rule: 'self.all(key, self[key] != "bad")' }],
        },
      },
    }
    await server().admin.post(definitionsPath, widgetDefinition(schema))
  })
  afterEach(() => {
    expect(['polluted', 'a', 'x'].filter((name) => name in {})).to.deep.equal([])
    expect(Object.getOwnPropertyNames(Object.prototype)).to.include.members(['constructor'])
  })

  for (const key of keys) {
    const of = (text: string) => json(text.replaceAll('KEY', key))
    const name = `odd-${keys.indexOf(key)}`

    it(`${key} in data is kept: in JSON, YAML and protobuf, by every patch and by apply`, async () => {
      const { admin } = server()
      const path = `${configMaps}/${name}`
      const value = async () => (await admin.get(path)).json as { data: Record<string, string> }
      const kept = async () => JSON.stringify((await value()).data)
      await admin.post(
        configMaps,
        of(`{"metadata":{"name":"${name}"},"data":{"KEY":"json","z":"v"}}`),
      )
      expect(await kept()).to.equal(JSON.stringify(of('{"KEY":"json","z":"v"}')))

      const protobuf = 'application/vnd.kubernetes.protobuf'
      const client = admin.with({ 'content-type': protobuf, accept: protobuf })
      const read = (await codec.decode((await client.get(path)).bytes)).value
      const written = { ...read, data: of('{"KEY":"protobuf"}') }
      await client.put(
        path,
        await codec.encode(written, { group: '', version: 'v1', kind: 'ConfigMap' }),
      )
      expect(await kept()).to.equal(JSON.stringify(of('{"KEY":"protobuf"}')))

      const yaml = admin.with({ accept: 'application/yaml' })
      const text = (await yaml.get(path)).text.replace(/: protobuf/, ': yaml')
      await admin.with({ 'content-type': 'application/yaml' }).put(path, text)
      expect(await kept()).to.equal(JSON.stringify(of('{"KEY":"yaml"}')))

      const steps: [string, object, string][] = [
        ['merge-patch+json', of('{"data":{"KEY":"merge","m":"1"}}'), '{"KEY":"merge","m":"1"}'],
        ['strategic-merge-patch+json', of('{"data":{"KEY":"s","m":null}}'), '{"KEY":"s"}'],
        ['json-patch+json', of('[{"op":"replace","path":"/data/KEY","value":"j"}]'), '{"KEY":"j"}'],
        [
          'json-patch+json',
          of('[{"op":"copy","from":"/data/KEY","path":"/data/c"}]'),
          '{"KEY":"j","c":"j"}',
        ],
        ['merge-patch+json', of('{"data":{"KEY":null}}'), '{"c":"j"}'],
        ['strategic-merge-patch+json', of('{"data":{"KEY":"t","c":null}}'), '{"KEY":"t"}'],
        [
          'json-patch+json',
          of('[{"op":"remove","path":"/data/KEY"},{"op":"add","path":"/data/KEY","value":"a"}]'),
          '{"KEY":"a"}',
        ],
      ]
      for (const [type, patch, want] of steps) {
        const answer = await admin.patch(path, type, patch)
        expect(answer.status, type + JSON.stringify(patch)).to.equal(200)
        expect(JSON.parse(await kept()), type).to.deep.equal(of(want))
      }
      const config = of(
        `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"${name}"},"data":{"KEY":"apply"}}`,
      )
      const applied = await admin.patch(
        `${path}?fieldManager=me&force=true`,
        'apply-patch+yaml',
        config,
      )
      expect(await kept()).to.equal(JSON.stringify(of('{"KEY":"apply"}')))
      expect(JSON.stringify(applied.field('metadata', 'managedFields'))).to.include(`"f:${key}":{}`)
      const none = { ...config, data: {} }
      await admin.patch(`${path}?fieldManager=me`, 'apply-patch+yaml', none)
      expect((await value()).data).to.equal(undefined)
    })

    it(`${key} in a custom object is kept if its schema allows it, and reported otherwise`, async () => {
      const { admin } = server()
      const own = of(
        `{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"${name}"},` +
          '"open":{"KEY":{"a":1}},"map":{"KEY":"m"},"named":{"KEY":"n"},"ruled":{"KEY":"ok"}}',
      ) as Record<string, Record<string, unknown>>
      const made = await admin.post(widgetsPath, own)
      expect([made.status, made.field('message')]).to.deep.equal([201, undefined])
      const shown = (await admin.get(`${widgetsPath}/${name}`)).json as typeof own
      for (const field of ['open', 'map', 'ruled'])
        expect(JSON.stringify(shown[field]), field).to.equal(JSON.stringify(own[field]))
      const named = Object.fromEntries(keys.map((one) => [one, one === key ? 'n' : 'd']))
      expect(Object.entries(shown['named'] ?? {}).sort()).to.deep.equal(
        Object.entries(named).sort(),
      )
      const patch = of('{"map":{"KEY":"patched"},"ruled":{"KEY":"bad"}}')
      const ruled = await admin.patch(`${widgetsPath}/${name}`, 'merge-patch+json', patch)
      expect([ruled.status, ruled.field('details', 'causes', 0, 'field')]).to.deep.equal([
        422,
        'ruled',
      ])
    })

    it(`${key} as an unknown field is an error under Strict, a warning otherwise`, async () => {
      const { admin } = server()
      for (const path of [configMaps, `${management}/teams`]) {
        const body = of(
          `{"metadata":{"name":"${name}-field"},"KEY":{"polluted":1},"spec":{"KEY":{"polluted":1}}}`,
        )
        const strict = await admin.post(`${path}?fieldValidation=Strict&dryRun=All`, body)
        expect([strict.status, strict.text.includes(`unknown field \\"${key}\\"`)]).to.deep.equal([
          400,
          true,
        ])
        const warned = await admin.post(`${path}?dryRun=All`, body)
        expect(warned.status).to.equal(201)
        expect(String(warned.headers['warning'])).to.include(`unknown field \\"${key}\\"`)
      }
      const applied = await admin.patch(
        `${configMaps}/x?fieldManager=me`,
        'apply-patch+yaml',
        of('{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"x"},"KEY":{"a":1}}'),
      )
      expect([applied.status, applied.field('message')]).to.deep.equal([
        500,
        `failed to create typed patch object (/x; /v1, Kind=ConfigMap): .${key}: field not declared in schema`,
      ])
    })
  }

  it('__proto__ as a label or an annotation is refused like any invalid key', async () => {
    const { admin } = server()
    for (const field of ['labels', 'annotations']) {
      const text = `{"metadata":{"name":"odd","${field}":{"__proto__":"x"}}}`
      const yaml = `metadata:\n  name: odd\n  ${field}:\n    __proto__: x\n`
      const client = admin.with({ 'content-type': 'application/yaml' })
      for (const answer of [
        await admin.post(configMaps, json(text)),
        await admin.post(`${management}/teams`, json(text)),
        await client.post(configMaps, yaml),
      ]) {
        const cause = [answer.status, answer.field('details', 'causes', 0, 'field')]
        expect(cause).to.deep.equal([422, `metadata.${field}`])
      }
    }
  })
})
