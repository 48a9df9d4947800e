import { expect } from 'chai'
import { secrets, users, useTestServer } from '../support/testServer.ts'
import { badRequest, failure } from '../support/status.ts'

const jsonPatch = 'json-patch+json'
const mergePatch = 'merge-patch+json'
const applyPatch = 'apply-patch+yaml'
const unprocessable = failure(
  422,
  'Invalid',
  'the server rejected our request due to an error in our request',
  {},
)

describe('PATCH', () => {
  const server = useTestServer()
  const path = `${users}/patched`

  before(async () => {
    const user = { metadata: { name: 'patched', labels: { a: 'b' } }, spec: { groups: ['x'] } }
    await server().admin.post(users, user)
  })

  const applied = [
    [mergePatch, { spec: { displayName: 'one' } }, ['spec', 'displayName'], 'one'],
    [mergePatch, { spec: { displayName: null } }, ['spec', 'displayName'], undefined],
    [
      jsonPatch,
      [{ op: 'add', path: '/spec/groups/-', value: 'y' }],
      ['spec', 'groups'],
      ['x', 'y'],
    ],
    [jsonPatch, [{ op: 'remove', path: '/spec/groups/0' }], ['spec', 'groups'], ['y']],
    [
      jsonPatch,
      [
        { op: 'test', path: '/metadata/labels/a', value: 'b' },
        { op: 'replace', path: '/metadata/labels/a', value: 'c' },
      ],
      ['metadata', 'labels', 'a'],
      'c',
    ],
    [jsonPatch, [], ['metadata', 'labels', 'a'], 'c'],
  ] as const
  for (const [type, patch, field, want] of applied) {
    it(`${type} ${JSON.stringify(patch)} (reference 3.9)`, async () => {
      const answer = await server().admin.patch(path, type, patch)
      expect([answer.status, answer.field(...field)]).to.deep.equal([200, want])
    })
  }

  it('a configuration with null metadata has no name: 400 (reference 3.12)', async () => {
    const config = { apiVersion: 'management.platform/v1', kind: 'User', metadata: null }
    const url = `${users}/applied?fieldManager=test`
    const answer = await server().admin.patch(url, 'apply-patch+yaml', config)
    const message =
      'the name of the object (applied based on URL) was undeterminable: name must be provided'
    expect([answer.status, answer.json]).to.deep.equal([400, badRequest(message)])
  })

  it('a configuration whose uid is null or empty creates: 201 (reference 3.12)', async () => {
    for (const uid of [null, '']) {
      const metadata = { name: `applied-${uid === null ? 'null' : 'empty'}`, uid }
      const config = { apiVersion: 'management.platform/v1', kind: 'User', metadata }
      const url = `${users}/${metadata.name}?fieldManager=test`
      const answer = await server().admin.patch(url, 'apply-patch+yaml', config)
      expect(answer.status).to.equal(201)
    }
  })

  it('invalid JSON is reported before a missing object: 400 (seen on kube-apiserver 1.37.2)', async () => {
    const answer = await server().admin.patch(`${users}/nobody`, mergePatch, '{')
    expect([answer.status, answer.field('message')]).to.deep.equal([400, 'invalid JSON patch'])
  })

  it('the type of a patch is case-sensitive: 415 (reference 1.5)', async () => {
    const answer = await server().admin.patch(path, 'Merge-Patch+JSON', {})
    expect(answer.status).to.equal(415)
  })

  const supported = 'application/json-patch+json, application/merge-patch+json'
  const types = [
    'text/plain',
    'application/json',
    'application/yaml',
    'application/apply-patch+cbor',
  ]
  for (const type of types) {
    it(`${type} is 415 with the supported types (reference 1.5, 3.9)`, async () => {
      const answer = await server().admin.call(path, {
        method: 'PATCH',
        body: '{}',
        headers: { 'content-type': type },
      })
      expect([answer.status, answer.field('reason')]).to.deep.equal([415, 'UnsupportedMediaType'])
      expect(answer.field('message')).to.include(
        `the body of the request was in an unknown format - accepted media types include: ${supported}`,
      )
    })
  }

  it("a built-in kind refuses an unknown patch type in the router's words (reference 1.5, 3.9)", async () => {
    const answer = await server().admin.call('/api/v1/namespaces/default', {
      method: 'PATCH',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    })
    const want = failure(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {})
    expect([answer.status, answer.json]).to.deep.equal([415, want])
  })

  for (const headers of [{}, { 'content-type': '' }]) {
    it(`without a content type it is 415: ${JSON.stringify(headers)} (reference 1.5)`, async () => {
      const answer = await server().admin.call(path, { method: 'PATCH', body: '{}', headers })
      expect([answer.status, answer.field('reason')]).to.deep.equal([415, 'UnsupportedMediaType'])
    })
  }

  const unreadable = [
    [jsonPatch, '{', /^invalid JSON patch$/],
    [mergePatch, 'a: b', /^invalid JSON patch$/],
    [mergePatch, '', /^invalid JSON patch$/],
    [applyPatch, '{', /^error decoding patch: error converting YAML to JSON: yaml: /],
    ...['[1]', '"x"', '1', 'true'].map(
      (body) =>
        [
          applyPatch,
          body,
          /^error decoding patch: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal (array|string|number|bool) into Go value of type map\[string\]interface \{\}$/,
        ] as const,
    ),
  ] as const
  for (const [type, body, want] of unreadable) {
    it(`${type} of ${JSON.stringify(body)}: 400 ${want} (reference 3.9)`, async () => {
      const headers = { 'content-type': `application/${type}` }
      const query = type === applyPatch ? '?fieldManager=m' : ''
      const answer = await server().admin.call(path + query, { method: 'PATCH', body, headers })
      expect(answer.status).to.equal(400)
      expect(answer.field('message')).to.match(want)
    })
  }

  const refused = [
    [
      jsonPatch,
      '{}',
      400,
      badRequest(
        'error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp',
      ),
    ],
    [
      jsonPatch,
      '[{"op":1}]',
      400,
      badRequest(
        'error decoding patch: json: cannot unmarshal number into Go struct field jsonPatchOp.op of type string',
      ),
    ],
    [mergePatch, 'null', 400, badRequest('Invalid JSON Patch')],
    [
      mergePatch,
      '[]',
      400,
      badRequest(
        'error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}',
      ),
    ],
    [jsonPatch, '[{"op":"test","path":"/metadata/name","value":"other"}]', 422, unprocessable],
    [jsonPatch, '[{"op":"remove","path":"/spec/nothing"}]', 422, unprocessable],
    [jsonPatch, '[{"op":"add","path":"/nothing/at/all","value":1}]', 422, unprocessable],
    [jsonPatch, '[{"op":"jump","path":"/spec"}]', 422, unprocessable],
    [jsonPatch, '[{"op":"add","path":"/__proto__/x","value":1}]', 422, unprocessable],
    [
      mergePatch,
      '{"metadata":{"name":"other"}}',
      400,
      badRequest('the name of the object (other) does not match the name on the URL (patched)'),
    ],
    [
      mergePatch,
      '{"metadata":{"name":null}}',
      400,
      badRequest(
        'the name of the object (patched based on URL) was undeterminable: name must be provided',
      ),
    ],
    [
      mergePatch,
      '{"metadata":{"resourceVersion":"1"}}',
      409,
      failure(
        409,
        'Conflict',
        'Operation cannot be fulfilled on users.management.platform "patched": the object has been modified; please apply your changes to the latest version and try again',
        { name: 'patched', group: 'management.platform', kind: 'users' },
      ),
    ],
    [
      mergePatch,
      '{"metadata":{"resourceVersion":"abc"}}',
      500,
      failure(500, '', 'strconv.ParseUint: parsing "abc": invalid syntax'),
    ],
  ] as const
  for (const [type, body, code, want] of refused) {
    it(`${type} ${body} is ${code} (reference 3.9)`, async () => {
      const answer = await server().admin.patch(path, type, body)
      expect([answer.status, answer.json]).to.deep.equal([code, want])
    })
  }

  it('too many operations are 413 (reference 3.9)', async () => {
    const patch = Array.from({ length: 10_001 }, () => ({ op: 'test', path: '', value: 1 }))
    const answer = await server().admin.patch(path, jsonPatch, patch)
    const message =
      'Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001'
    expect([answer.status, answer.json]).to.deep.equal([
      413,
      failure(413, 'RequestEntityTooLarge', message),
    ])
  })

  it('multiplying copies are refused: 422 (reference 3.9)', async () => {
    const ops: object[] = [{ op: 'add', path: '/spec/extraClaims', value: { a: 'x'.repeat(1000) } }]
    for (let round = 0; round < 25; round++) {
      ops.push({ op: 'copy', from: '/spec/extraClaims', path: `/spec/extraClaims/c${round}` })
    }
    const answer = await server().admin.patch(path, jsonPatch, ops)
    expect([answer.status, answer.json]).to.deep.equal([422, unprocessable])
  })

  it('a changed UID is 422, a missing object 404 (reference 3.9)', async () => {
    const uid = await server().admin.patch(path, mergePatch, { metadata: { uid: 'other' } })
    expect([uid.status, uid.field('details', 'causes', 0)]).to.deep.equal([
      422,
      {
        reason: 'FieldValueInvalid',
        message: 'Invalid value: "other": field is immutable',
        field: 'metadata.uid',
      },
    ])
    const missing = await server().admin.patch(`${users}/nobody`, mergePatch, {})
    expect([missing.status, missing.field('message')]).to.deep.equal([
      404,
      'users.management.platform "nobody" not found',
    ])
  })

  it('a namespace other than that of the path is 400 (reference 3.9)', async () => {
    const { admin } = server()
    await admin.post(secrets, { metadata: { name: 'spaced' } })
    const answer = await admin.patch(`${secrets}/spaced`, mergePatch, {
      metadata: { namespace: 'elsewhere' },
    })
    const message =
      'the namespace of the provided object does not match the namespace sent on the request'
    expect([answer.status, answer.json]).to.deep.equal([400, badRequest(message)])
  })

  const strict = [
    [mergePatch, '{"spec":{"nothing":1}}', 'unknown field "spec.nothing"'],
    [mergePatch, '{"spec":{"email":"a","email":"b"}}', 'duplicate field "spec.email"'],
    [
      jsonPatch,
      '[{"op":"test","path":"/metadata/name","value":"patched","foo":1}]',
      'json patch unknown field "[0].foo"',
    ],
    [
      jsonPatch,
      '[{"op":"test","op":"test","path":"/metadata/name","value":"patched"}]',
      'json patch duplicate field "[0].op"',
    ],
    [jsonPatch, '[{"op":"add","path":"/spec/nothing","value":1}]', 'unknown field "spec.nothing"'],
  ] as const
  for (const [type, body, text] of strict) {
    it(`${type} ${body} is 422 when Strict, a warning otherwise (reference 1.13)`, async () => {
      const refusal = await server().admin.patch(`${path}?fieldValidation=Strict`, type, body)
      expect(refusal.status, refusal.text).to.equal(422)
      expect(refusal.field('message')).to.match(/^ "" is invalid: patch: Invalid value: "/)
      expect(refusal.field('message')).to.include(`: strict decoding error: ${text}`)
      expect(refusal.field('details', 'causes', 0, 'field')).to.equal('patch')
      const warned = await server().admin.patch(`${path}?dryRun=All`, type, body)
      const escaped = text.replaceAll('"', '\\"')
      expect([warned.status, warned.all('warning')]).to.deep.equal([200, [`299 - "${escaped}"`]])
      const silent = await server().admin.patch(
        `${path}?dryRun=All&fieldValidation=Ignore`,
        type,
        body,
      )
      expect([silent.status, silent.all('warning')]).to.deep.equal([200, []])
    })
  }

  const otherTypes: [string, object, string][] = [
    [
      'another kind',
      { kind: 'Team' },
      'converting (v1.Team) to (management.User): unknown conversion',
    ],
    [
      'an unknown kind',
      { kind: 'Widget' },
      'no kind "Widget" is registered for version "management.platform/v1" in scheme "pkg/runtime/scheme.go:111"',
    ],
    [
      'an unknown version',
      { apiVersion: 'v9' },
      'no kind "User" is registered for version "v9" in scheme "pkg/runtime/scheme.go:111"',
    ],
    ['no version', { apiVersion: 'a/b/c' }, 'unexpected GroupVersion string: a/b/c'],
  ]
  for (const [what, patch, why] of otherTypes) {
    it(`a patch to ${what} is 422 in the words of the library (reference 3.9)`, async () => {
      const answer = await server().admin.patch(path, mergePatch, patch)
      expect([answer.status, String(answer.field('message')).endsWith(`: ${why}`)]).to.deep.equal([
        422,
        true,
      ])
    })
  }

  it('a patch that removes the apiVersion is 400 (reference 3.9)', async () => {
    const answer = await server().admin.patch(path, mergePatch, { apiVersion: null })
    const why =
      'the name of the object (patched based on URL) was undeterminable: name must be provided'
    expect([answer.status, answer.json]).to.deep.equal([400, badRequest(why)])
  })

  it('a strategic merge patch cannot change the kind (reference 3.9)', async () => {
    const configMaps = '/api/v1/namespaces/default/configmaps'
    await server().admin.post(configMaps, { metadata: { name: 'typed' } })
    const patch = { kind: 'Secret', apiVersion: 'other/v1', data: { a: 'b' } }
    const answer = await server().admin.patch(
      `${configMaps}/typed`,
      'strategic-merge-patch+json',
      patch,
    )
    const shown = ['kind', 'apiVersion', 'data'].map((name) => answer.field(name))
    expect([answer.status, ...shown]).to.deep.equal([200, 'ConfigMap', 'v1', { a: 'b' }])
  })

  it('another version of the kind is accepted (reference 3.9)', async () => {
    const scalers = '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers'
    const scaleTargetRef = { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' }
    const spec = { scaleTargetRef, maxReplicas: 2 }
    await server().admin.post(scalers, { metadata: { name: 'versions' }, spec })
    const answer = await server().admin.patch(`${scalers}/versions`, mergePatch, {
      apiVersion: 'autoscaling/v1',
      spec: { maxReplicas: 3, metrics: null },
    })
    expect([
      answer.status,
      answer.field('apiVersion'),
      answer.field('spec', 'maxReplicas'),
    ]).to.deep.equal([200, 'autoscaling/v2', 3])
  })

  it('a patch that changes the kind is 422 (reference 3.9)', async () => {
    const answer = await server().admin.patch(path, mergePatch, { kind: 'Widget' })
    expect([answer.status, answer.field('details', 'causes', 0, 'field')]).to.deep.equal([
      422,
      'patch',
    ])
  })

  it('concurrent patches without a resourceVersion never conflict (reference 3.9)', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        server().admin.patch(path, mergePatch, { metadata: { labels: { [`n${index}`]: 'x' } } }),
      ),
    )
    expect(answers.map(({ status }) => status)).to.deep.equal(Array<number>(20).fill(200))
    const { json } = await server().admin.get(path)
    expect(Object.keys((json as { metadata: { labels: object } }).metadata.labels)).to.have.length(
      21,
    )
  })
})
