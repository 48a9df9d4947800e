import { expect } from 'chai'
import {
  definitionsPath,
  widgetDefinition,
  widgetsPath as widgets,
} from '../../support/definitions.ts'
import { useTestServer } from '../support/testServer.ts'

const large = '9007199254740993'
const nanoseconds = '1732312345123456789'
const least = '-9223372036854775808'

const int64 = { type: 'integer', format: 'int64' }
const given = { ...int64, maximum: 9007199254740992, default: 9007199254740992 }

const schema = {
  properties: {
    spec: {
      type: 'object',
      properties: {
        at: { ...int64, minimum: 1 },
        long: { type: 'string', maxLength: 9007199254740992 },
        deep: { type: 'object', properties: { given } },
        thirds: { ...int64, multipleOf: 3 },
        one: { ...int64, enum: [9007199254740992] },
        many: { type: 'array', items: int64, 'x-kubernetes-list-type': 'set' },
        ports: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['id'],
          items: { type: 'object', required: ['id'], properties: { id: int64 } },
        },
        either: { 'x-kubernetes-int-or-string': true },
        text: { type: 'string' },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
  },
}

const version = {
  selectableFields: [{ jsonPath: '.spec.at' }],
  additionalPrinterColumns: [{ name: 'At', type: 'integer', jsonPath: '.spec.at' }],
}

/** Bodies are strings, which preserve all digits of numbers. */
const body = (name: string, spec: string) =>
  `{"kind":"Widget","apiVersion":"example.com/v1","metadata":{"name":"${name}"},"spec":${spec}}`

const specOf = (text: string) => /"spec":(\{.*\})\}\n?$/.exec(text)?.[1]

describe('64-bit integers in custom objects', () => {
  const server = useTestServer()
  const admin = () => server().admin
  const read = async (name: string) => specOf((await admin().get(`${widgets}/${name}`)).text)

  before(async () => {
    const made = await admin().post(definitionsPath, widgetDefinition(schema, { version }))
    expect(made.status, made.text).to.equal(201)
  })

  it('are kept exactly at any depth (reference 1.12)', async () => {
    const spec = `{"at":${nanoseconds},"either":${large},"free":{"a":[${least},1.5,"${large}"]},"many":[${large}]}`
    const created = await admin().post(widgets, body('kept', spec))
    expect([created.status, specOf(created.text)]).to.deep.equal([201, spec])
    expect(await read('kept')).to.equal(spec)
    const list = await admin().get(widgets)
    expect(list.text).to.include(spec)
    const pretty = await admin().get(`${widgets}/kept?pretty=true`)
    expect(pretty.text).to.include(`"at": ${nanoseconds}`)
  })

  it('beyond 64 bits they are floats (reference 1.12)', async () => {
    const created = await admin().post(widgets, body('float', '{"free":{"a":9223372036854775808}}'))
    expect(specOf(created.text)).to.equal(
      '{"free":{"a":9223372036854775808}}'.replace('5808', '6000'),
    )
  })

  it('beyond the range of a double they are refused: 400 (reference 1.12)', async () => {
    const created = await admin().post(widgets, body('over', '{"free":{"a":[-1e400]}}'))
    const text = 'json: cannot unmarshal number -1e400 into Go value of type float64'
    expect([created.status, created.field('message')]).to.deep.equal([
      400,
      `Widget in version "v1" cannot be handled as a Widget: ${text}`,
    ])
    await admin().post(widgets, body('whole', '{}'))
    const merged = await admin().patch(
      `${widgets}/whole`,
      'merge-patch+json',
      '{"spec":{"free":{"a":-1e400}}}',
    )
    expect([merged.status, merged.field('message')]).to.deep.equal([
      400,
      `error decoding patch: ${text}`,
    ])
  })

  it('are read from YAML too (reference 1.12)', async () => {
    const text = `kind: Widget\napiVersion: example.com/v1\nmetadata: {name: yaml}\nspec:\n  at: ${nanoseconds}\n  free: {${large}: 0x20000000000001}\n`
    const created = await admin().post(widgets, text, { 'content-type': 'application/yaml' })
    const spec = `{"at":${nanoseconds},"free":{"${large}":9007199254740993}}`
    expect([created.status, specOf(created.text)]).to.deep.equal([201, spec])
    const answer = await admin().get(`${widgets}/yaml`, { accept: 'application/yaml' })
    expect(answer.text).to.include(`  at: ${nanoseconds}\n`)
  })

  it('are changed and compared by patches (reference 3.9)', async () => {
    await admin().post(widgets, body('patched', `{"at":${large}}`))
    const merged = await admin().patch(
      `${widgets}/patched`,
      'merge-patch+json',
      `{"spec":{"at":9007199254740995}}`,
    )
    expect(specOf(merged.text)).to.equal('{"at":9007199254740995}')
    const patch = (test: string) =>
      `[{"op":"test","path":"/spec/at","value":${test}},{"op":"add","path":"/spec/many","value":[${large}]},{"op":"copy","from":"/spec/at","path":"/spec/either"}]`
    const refused = await admin().patch(`${widgets}/patched`, 'json-patch+json', patch(large))
    expect(refused.status).to.equal(422)
    const done = await admin().patch(
      `${widgets}/patched`,
      'json-patch+json',
      patch('9007199254740995'),
    )
    expect(specOf(done.text)).to.equal(
      `{"at":9007199254740995,"either":9007199254740995,"many":[${large}]}`,
    )
    expect(done.field('metadata', 'generation')).to.equal(3)
  })

  it('identify items in an apply (reference 3.12)', async () => {
    const path = `${widgets}/applied?fieldManager=`
    const apply = (manager: string, spec: string) =>
      admin().patch(path + manager, 'apply-patch+yaml', body('applied', spec))
    const one = await apply('a', `{"many":[${large}],"ports":[{"id":${large}}],"at":${large}}`)
    expect(one.status, one.text).to.equal(201)
    const two = await apply('b', '{"many":[9007199254740992],"ports":[{"id":9007199254740992}]}')
    expect(specOf(two.text)).to.equal(
      `{"at":${large},"many":[${large},9007199254740992],"ports":[{"id":${large}},{"id":9007199254740992}]}`,
    )
    expect(two.text).to.include(String.raw`"v:${large}":{}`)
    expect(two.text).to.include(String.raw`k:{\"id\":${large}}`)
    const conflict = await apply('c', '{"at":9007199254740994}')
    expect(conflict.status).to.equal(409)
    const gone = await apply('a', `{"at":${large}}`)
    expect(specOf(gone.text)).to.equal(
      `{"at":${large},"many":[9007199254740992],"ports":[{"id":9007199254740992}]}`,
    )
  })

  it('are compared by rules of the schema (reference 3.1)', async () => {
    const refused = await admin().post(
      widgets,
      body('refused', `{"at":${least},"text":${large},"many":[${large},${large}]}`),
    )
    expect(refused.field('message')).to.equal(
      `Widget.example.com "refused" is invalid: [spec.at: Invalid value: ${least}: spec.at in body should be greater than or equal to 1, spec.text: Invalid value: "integer": spec.text in body must be of type string: "integer", spec.many[1]: Duplicate value: ${large}]`,
    )
    const filled = await admin().post(widgets, body('filled', '{"deep":{}}'))
    expect(specOf(filled.text)).to.equal('{"deep":{"given":9007199254740992}}')
    const multiple = await admin().post(widgets, body('multiple', `{"thirds":${large}}`))
    expect(multiple.status, multiple.text).to.equal(201)
    const outside = await admin().post(
      widgets,
      body('other', `{"thirds":9007199254740994,"one":${large}}`),
    )
    expect(outside.field('message')).to.equal(
      `Widget.example.com "other" is invalid: [spec.one: Unsupported value: ${large}: supported values: "9007199254740992", spec.thirds: Invalid value: 9007199254740994: spec.thirds in body should be a multiple of 3]`,
    )
  })

  it('are in every form of the document (reference 1.11)', async () => {
    const path = '/openapi/v3/apis/example.com/v1'
    const json = await admin().get(path)
    expect(json.text).to.include('"default":9007199254740992')
    for (const version of ['v2', 'v3']) {
      const accept = `application/com.github.proto-openapi.spec.${version}@v1.0+protobuf`
      const answer = await admin().get(version === 'v2' ? '/openapi/v2' : path, { accept })
      expect(answer.status).to.equal(200)
      expect(answer.headers['content-type']).to.match(/\+protobuf$/)
    }
  })

  it('are shown by columns and selectors (reference 1.9)', async () => {
    await admin().post(widgets, body('shown', '{"at":9007199254740997}'))
    const selected = await admin().get(`${widgets}?fieldSelector=spec.at%3D9007199254740997`, {
      accept: 'application/json;as=Table;v=v1;g=meta.k8s.io',
    })
    expect(selected.text).to.include('"cells":["shown",9007199254740997]')
  })
})
