import { expect } from 'chai'
import { management, namespaces, secrets, users, useTestServer } from '../support/testServer.ts'
import { badRequest, failure } from '../support/status.ts'

const unknownFormat = failure(
  415,
  'UnsupportedMediaType',
  'the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf',
)

describe('a request body', () => {
  const server = useTestServer()
  const create = (body: string | Buffer, type?: string, query = '') =>
    server().admin.post(
      `${users}${query}`,
      body,
      type === undefined ? {} : { 'content-type': type },
    )

  const accepted = [
    ['JSON without a content type', undefined, '{"metadata":{"name":"in-1"}}', 'in-1'],
    ['JSON with parameters', 'application/json; charset=x', '{"metadata":{"name":"in-2"}}', 'in-2'],
    ['an odd case', 'Application/JSON', '{"metadata":{"name":"in-3"}}', 'in-3'],
    ['YAML', 'application/yaml', 'metadata:\n  name: in-4\n', 'in-4'],
    ['JSON as YAML', 'application/yaml', '{"metadata":{"name":"in-5"}}', 'in-5'],
    ['the first YAML document', 'application/yaml', 'metadata: {name: in-6}\n---\nx: 1\n', 'in-6'],
    [
      'empty kind and apiVersion',
      undefined,
      '{"kind":"","apiVersion":"","metadata":{"name":"in-7"}}',
      'in-7',
    ],
    ['white space around', undefined, ' \n{"metadata":{"name":"in-8"}}\n\n', 'in-8'],
    ['no spec', undefined, '{"spec":null,"metadata":{"name":"in-9"}}', 'in-9'],
  ] as const
  for (const [what, type, body, name] of accepted) {
    it(`accepts ${what} (reference 1.12)`, async () => {
      const answer = await create(body, type)
      expect([answer.status, answer.field('metadata', 'name')]).to.deep.equal([201, name])
      expect([answer.field('kind'), answer.field('apiVersion')]).to.deep.equal([
        'User',
        'management.platform/v1',
      ])
    })
  }

  const unknown = [
    'text/plain',
    'application/vnd.kubernetes.protobuf',
    'nonsense',
    'application/cbor',
  ]
  for (const type of unknown) {
    it(`refuses ${type}: 415 (reference 1.12)`, async () => {
      const answer = await create('{}', type)
      expect([answer.status, answer.json]).to.deep.equal([415, unknownFormat])
    })
  }

  const wrong = [
    [
      'another kind',
      '{"kind":"Foo","apiVersion":"management.platform/v1"}',
      'Foo in version "v1" cannot be handled as a User: no kind "Foo" is registered for version "management.platform/v1" in scheme "pkg/runtime/scheme.go:111"',
    ],
    [
      'another version',
      '{"kind":"User","apiVersion":"management.platform/v2"}',
      'User in version "v2" cannot be handled as a User: no kind "User" is registered for version "management.platform/v2" in scheme "pkg/runtime/scheme.go:111"',
    ],
    [
      'another kind of the same version',
      '{"kind":"Team"}',
      'Team in version "v1" cannot be handled as a User: converting (v1.Team) to (management.User): unknown conversion',
    ],
    [
      'a built-in kind',
      '{"kind":"ConfigMap","apiVersion":"v1"}',
      'ConfigMap in version "v1" cannot be handled as a User: converting (v1.ConfigMap) to (management.User): unknown conversion',
    ],
    [
      'a list of its kind',
      '{"kind":"UserList"}',
      'UserList in version "v1" cannot be handled as a User: converting (v1.UserList) to (management.User): unknown conversion',
    ],
    [
      'options',
      '{"kind":"DeleteOptions","apiVersion":"apps/v1"}',
      'DeleteOptions in version "v1" cannot be handled as a User: converting (v1.DeleteOptions) to (management.User): unknown conversion',
    ],
    [
      'a version that is none',
      '{"kind":"User","apiVersion":"a/b/c"}',
      'the object provided is unrecognized (must be of type User): unexpected GroupVersion string: a/b/c ({"kind":"User","apiVersion":"a ...)',
    ],
    [
      'a kind that is no text',
      '{"kind":5}',
      'the object provided is unrecognized (must be of type User): couldn\'t get version/kind; json parse error: json: cannot unmarshal number into Go struct field .kind of type string ({"kind":5})',
    ],
    [
      'a list',
      '[1,2]',
      `the object provided is unrecognized (must be of type User): couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" } (5b312c325d)`,
    ],
  ] as const
  for (const [what, body, message] of wrong) {
    it(`refuses ${what}: 400 (reference 1.12)`, async () => {
      const answer = await create(body)
      expect([answer.status, answer.json]).to.deep.equal([400, badRequest(message)])
    })
  }

  const broken = [
    ['nothing', ''],
    ['half an object', '{"metadata":{"name":"x"'],
    ['two objects', '{} {}'],
    ['no JSON', 'metadata: {name: x}'],
    ['a byte order mark', '\ufeff{}'],
  ] as const
  for (const [what, body] of broken) {
    it(`refuses ${what}: 400 (reference 1.12)`, async () => {
      const answer = await create(body)
      expect([answer.status, answer.field('reason')]).to.deep.equal([400, 'BadRequest'])
      expect(answer.field('message')).to.match(
        /^the object provided is unrecognized \(must be of type User\): couldn't get version\/kind; json parse error: .+ \(.+\)$/s,
      )
    })
  }

  for (const [what, body, type] of [
    ['null', 'null', 'application/json'],
    ['nothing as YAML', '', 'application/yaml'],
  ] as const) {
    it(`reads ${what} as an object without fields and so without a name: 422 (reference 1.12)`, async () => {
      const answer = await create(body, type)
      expect([answer.status, answer.field('details', 'causes', 0, 'field')]).to.deep.equal([
        422,
        'metadata.name',
      ])
    })
  }

  it('an invalid time in metadata is 422, although the server sets it (reference 1.12)', async () => {
    const answer = await create('{"metadata":{"name":"t","creationTimestamp":"yesterday"}}')
    expect([answer.status, answer.field('details', 'causes', 0, 'field')]).to.deep.equal([
      422,
      'metadata.creationTimestamp',
    ])
  })

  it('reports an empty body (reference 1.12)', async () => {
    const answer = await create('')
    expect(answer.field('message')).to.match(/ \(<empty>\)$/)
  })

  const brokenYaml = [
    ['bad YAML', 'a: [1'],
    ['a tab', 'a:\n\tb: 1'],
    ['an unknown alias', 'a: *b'],
    ['a text', 'hello'],
  ] as const
  for (const [what, body] of brokenYaml) {
    it(`refuses ${what} as YAML: 400 (reference 1.12)`, async () => {
      const answer = await create(body, 'application/yaml')
      expect([answer.status, answer.field('reason')]).to.deep.equal([400, 'BadRequest'])
    })
  }

  it('refuses nesting beyond the limit: 400 (reference 1.12)', async () => {
    const answer = await create(`{"spec":${'['.repeat(200_000)}${']'.repeat(200_000)}}`)
    const yaml = await create(`a: ${'['.repeat(10_001)}`, 'application/yaml')
    const blocks = await create(`a: \n  ${'- '.repeat(5_000)}`, 'application/yaml')
    const bracket = "json parse error: invalid character '[' exceeded max depth"
    for (const [{ status, json }, message] of [
      [answer, bracket],
      [yaml, 'yaml: exceeded max depth of 10000'],
      [blocks, 'yaml: line 2: exceeded max depth of 250'],
    ] as const) {
      expect(status).to.equal(400)
      expect(json).to.have.property('message').that.includes(message)
    }
  })

  it('accepts unknown fields that nest 10,000 deep, with a warning (reference 1.12)', async () => {
    const deep = `${'{"a":'.repeat(9_999)}1${'}'.repeat(9_999)}`
    const body = `{"metadata":{"name":"deep"},"unknown":${deep}}`
    for (const type of ['application/json', 'application/yaml']) {
      const answer = await create(body, type, '?dryRun=All')
      expect([answer.status, answer.headers['warning']]).to.deep.equal([
        201,
        '299 - "unknown field \\"unknown\\""',
      ])
    }
  })

  it('refuses YAML with multiplying aliases: 400 (reference 1.12)', async () => {
    const lines = ['a0: &a0 [x,x,x,x,x,x,x,x,x,x]']
    for (let level = 1; level < 12; level++) {
      const alias = `*a${level - 1}`
      lines.push(`a${level}: &a${level} [${Array<string>(10).fill(alias).join(',')}]`)
    }
    const answer = await create(lines.join('\n'), 'application/yaml')
    expect(answer.status).to.equal(400)
    expect(answer.field('message')).to.include('yaml: document contains excessive aliasing')
  })

  it('keeps keys such as __proto__ and constructor away from prototypes (reference 1.12)', async () => {
    const body =
      '{"metadata":{"name":"proto","labels":{"constructor":"a"},"annotations":{"toString":"c"}},"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'
    const answer = await create(body)
    expect([answer.status, answer.field('metadata', 'labels')]).to.deep.equal([
      201,
      { constructor: 'a' },
    ])
    expect(answer.field('metadata', 'annotations')).to.deep.equal({ toString: 'c' })
    expect('polluted' in {}).to.equal(false)
    const yaml = await create(
      'metadata: {name: proto2}\n__proto__: {polluted: true}\n',
      'application/yaml',
    )
    expect([yaml.status, 'polluted' in {}]).to.deep.equal([201, false])
  })

  it('replaces invalid UTF-8 (reference 1.12)', async () => {
    const body = Buffer.concat([
      Buffer.from('{"metadata":{"name":"utf"},"spec":{"displayName":"'),
      Buffer.from([0xff, 0xfe, 0xc0]),
      Buffer.from('"}}'),
    ])
    const answer = await create(body)
    expect([answer.status, answer.field('spec', 'displayName')]).to.deep.equal([
      201,
      '\ufffd\ufffd\ufffd',
    ])
  })

  const wrongTypes = [
    [users, '{"metadata":"x"}'],
    [users, '{"metadata":[]}'],
    [users, '{"metadata":{"name":5}}'],
    [users, '{"metadata":{"name":{}}}'],
    [users, '{"metadata":{"generateName":{}}}'],
    [users, '{"metadata":{"name":"a","labels":5}}'],
    [users, '{"metadata":{"name":"a","labels":{"a":5}}}'],
    [users, '{"metadata":{"name":"a","annotations":[]}}'],
    [users, '{"metadata":{"name":"a","finalizers":{}}}'],
    [users, '{"metadata":{"name":"a","finalizers":[1]}}'],
    [users, '{"metadata":{"name":"a","ownerReferences":5}}'],
    [users, '{"metadata":{"name":"a","ownerReferences":{"length":2}}}'],
    [users, '{"metadata":{"name":"a","ownerReferences":[5,6]}}'],
    [users, '{"metadata":{"name":"a","ownerReferences":[null,{}]}}'],
    [users, '{"metadata":{"name":"a","managedFields":[1,2]}}'],
    [users, '{"metadata":{"name":"a","resourceVersion":5}}'],
    [users, '{"metadata":{"name":"a","generation":"5"}}'],
    [users, '{"kind":5}'],
    [users, '{"apiVersion":["v1"]}'],
    [users, '{"metadata":{"name":"a"},"spec":"x"}'],
    [users, '{"metadata":{"name":"a"},"spec":[]}'],
    [users, '{"metadata":{"name":"a"},"spec":{"access":{}}}'],
    [users, '{"metadata":{"name":"a"},"spec":{"access":[{"verbs":5}]}}'],
    [users, '{"metadata":{"name":"a"},"status":7}'],
    [`${management}/ownedaccesskeys`, '{"metadata":{"name":"a"},"spec":"x"}'],
    [`${management}/ownedaccesskeys`, '{"metadata":{"name":"a"},"spec":{"key":7}}'],
    [`${management}/ownedaccesskeys`, '{"metadata":{"name":"a"},"spec":{"ttl":"7"}}'],
    [namespaces, '{"metadata":{"name":"a"},"spec":{"finalizers":5}}'],
    [namespaces, '{"metadata":{"name":"a"},"spec":5}'],
    [secrets, '{"metadata":{"name":"a"},"spec":{"data":[]}}'],
    [secrets, '{"metadata":{"name":"a"},"spec":{"data":{"a":5}}}'],
  ] as const
  for (const [path, body] of wrongTypes) {
    const name = path.split('/').at(-1)
    it(`a wrong type is a client error: ${name} ${body} (reference 1.12)`, async () => {
      // Built-in kinds are refused by the decoder, and so is an object whose kind cannot be read.
      const isUnreadable = /^\{"(kind|apiVersion)"/.test(body) || path === namespaces
      for (const method of ['POST', 'PUT']) {
        const url = method === 'POST' ? path : `${path}/a`
        const answer = await server().admin.call(url, { method, body })
        expect([answer.status, answer.field('reason')], answer.text).to.deep.equal(
          isUnreadable ? [400, 'BadRequest'] : [422, 'Invalid'],
        )
      }
    })
  }

  it('a wrong type in the result of a patch is a 422 (reference 1.12)', async () => {
    const patches = [
      { metadata: { ownerReferences: 5 } },
      { metadata: { finalizers: 'x' } },
      { spec: 7 },
      { metadata: 'x' },
      { kind: 5 },
    ]
    for (const patch of patches) {
      for (const path of [`${users}/admin`, `${management}/ownedaccesskeys/admin`]) {
        const answer = await server().admin.patch(path, 'merge-patch+json', patch)
        expect([answer.status, answer.field('reason')], answer.text).to.deep.equal([422, 'Invalid'])
      }
    }
  })

  it('keeps 64-bit integers in the range of a double (reference 1.12)', async () => {
    const body = { metadata: { name: 'number' }, spec: { tokenGeneration: 9007199254740991 } }
    const answer = await create(JSON.stringify(body))
    expect(answer.field('spec', 'tokenGeneration')).to.equal(9007199254740991)
  })
})
