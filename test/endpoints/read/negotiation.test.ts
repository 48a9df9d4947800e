import { expect } from 'chai'
import { gunzipSync } from 'node:zlib'
import { parse } from 'yaml'
import { secrets, users, useTestServer } from '../support/testServer.ts'
import { badRequest, failure } from '../support/status.ts'

const table = 'application/json;as=Table;v=v1;g=meta.k8s.io'
const oldTable = 'application/json;as=Table;v=v1beta1;g=meta.k8s.io'
const metadata = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io'
const metadataList = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io'

const acceptable =
  'only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf'

describe('response forms', () => {
  const server = useTestServer()
  const item = `${users}/admin`

  const plain = [
    undefined,
    '',
    '*/*',
    'application/json',
    'application/json;charset=utf-8',
    'text/html, application/json;q=0.1',
    'application/vnd.kubernetes.protobuf,application/json',
    'application/json;as=Table;v=v9;g=meta.k8s.io,application/json',
    'application/json;as=Nothing;v=v1;g=meta.k8s.io,application/json',
    'application/json;sv=v9,application/json',
    'application/json;stream=watch',
  ]
  for (const accept of plain) {
    it(`${String(accept)} is JSON (reference 1.9)`, async () => {
      const answer = await server().admin.get(item, accept === undefined ? {} : { accept })
      expect([answer.status, answer.headers['content-type']]).to.deep.equal([
        200,
        'application/json',
      ])
      expect(answer.field('kind')).to.equal('User')
      expect(answer.text.endsWith('}\n')).to.equal(true)
      expect(answer.headers).to.not.have.any.keys('vary', 'content-encoding')
    })
  }

  it('a review has no table, but has metadata: 406 (reference 1.9)', async () => {
    const reviews = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'
    const body = { spec: { nonResourceAttributes: { verb: 'get', path: '/' } } }
    const asTable = await server().admin.post(reviews, body, { accept: table })
    expect([asTable.status, asTable.field('reason')]).to.deep.equal([406, 'NotAcceptable'])
    const either = await server().admin.post(reviews, body, { accept: `${table},application/json` })
    expect(either.field('kind')).to.equal('SelfSubjectAccessReview')
    const bare = await server().admin.post(reviews, body, { accept: metadata })
    expect(bare.field('kind')).to.equal('PartialObjectMetadata')
  })

  const routed =
    '406: Not Acceptable\n\nAvailable representations: application/json, application/yaml, application/vnd.kubernetes.protobuf'
  const streamed = `${routed}, application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch`
  const refused = [
    ['text/html', failure(406, 'NotAcceptable', routed, {})],
    ['application/cbor', failure(406, 'NotAcceptable', routed, {})],
    ['nonsense', failure(406, 'NotAcceptable', routed, {})],
    ['a/b', failure(406, 'NotAcceptable', routed, {})],
    [table.replace('v1', 'v9'), failure(406, 'NotAcceptable', acceptable)],
    ['application/json;as=Nothing', failure(406, 'NotAcceptable', acceptable)],
  ] as const
  for (const [accept, want] of refused) {
    for (const path of [item, users, `${users}/nobody`]) {
      it(`${accept} for ${path.slice(24)} is 406, in indented JSON (reference 1.5, 1.9)`, async () => {
        const answer = await server().admin.get(path, { accept })
        const isRouteOfList = path === users && want.message === routed
        const shown = isRouteOfList ? { ...want, message: streamed } : want
        expect([answer.status, answer.text]).to.deep.equal([406, JSON.stringify(shown, null, 2)])
        expect(answer.headers['content-type']).to.equal('application/json')
      })
    }
  }

  it('application/* matches no route: 406 (reference 1.5)', async () => {
    const answer = await server().admin.get(item, { accept: 'application/*' })
    const want = failure(406, 'NotAcceptable', routed, {})
    expect([answer.status, answer.json]).to.deep.equal([406, want])
  })

  it('an error keeps its code if Accept cannot be satisfied (reference 1.9)', async () => {
    const answer = await server().admin.get('/version/nothing', { accept: 'text/html' })
    expect([answer.status, answer.field('code')]).to.deep.equal([404, 404])
  })

  it('YAML is available for objects, lists and errors (reference 1.9)', async () => {
    const yaml = server().admin.with({ accept: 'application/yaml' })
    for (const path of [item, users, `${users}/nobody`]) {
      const [answer, json] = await Promise.all([yaml.get(path), server().admin.get(path)])
      expect(answer.headers['content-type']).to.equal('application/yaml')
      expect([answer.status, parse(answer.text)]).to.deep.equal([json.status, json.json])
    }
    const made = await yaml.post(users, 'metadata: {name: yaml}\n', {
      'content-type': 'application/yaml',
    })
    expect([made.status, made.headers['content-type']]).to.deep.equal([201, 'application/yaml'])
    expect(made.text).to.match(/^apiVersion: management\.platform\/v1\nkind: User\nmetadata:\n {2}/)
  })

  for (const [accept, version] of [
    [`${table},${oldTable},application/json`, 'v1'],
    [`${oldTable},application/json`, 'v1beta1'],
  ] as const) {
    it(`a Table of ${version} is available for an object and a list (reference 1.9, 8.1, 8.2)`, async () => {
      for (const path of [item, users]) {
        const answer = await server().admin.get(path, { accept })
        expect([answer.status, answer.headers['content-type']]).to.deep.equal([
          200,
          'application/json',
        ])
        expect([answer.field('kind'), answer.field('apiVersion')]).to.deep.equal([
          'Table',
          `meta.k8s.io/${version}`,
        ])
        expect(answer.field('metadata', 'resourceVersion')).to.match(/^\d+$/)
        expect(answer.field('columnDefinitions', 0)).to.deep.equal({
          name: 'Name',
          type: 'string',
          format: 'name',
          description: 'Name must be unique within a namespace.',
          priority: 0,
        })
        expect(answer.field('rows', 0, 'cells', 0)).to.equal('admin')
        expect(answer.field('rows', 0, 'object', 'kind')).to.equal('PartialObjectMetadata')
        expect(answer.field('rows', 0, 'object', 'apiVersion')).to.equal(`meta.k8s.io/${version}`)
      }
    })
  }

  const included = [
    ['', 'PartialObjectMetadata'],
    ['?includeObject=Metadata', 'PartialObjectMetadata'],
    ['?includeObject=Object', 'User'],
    ['?includeObject=None', undefined],
  ] as const
  for (const [query, kind] of included) {
    it(`${query === '' ? 'no includeObject' : query}: ${String(kind)} (reference 8.1)`, async () => {
      const answer = await server().admin.get(`${item}${query}`, { accept: table })
      expect(answer.field('rows', 0, 'object', 'kind')).to.equal(kind)
    })
  }

  it('an unknown includeObject is 400 (reference 8.1)', async () => {
    for (const path of [item, users]) {
      const answer = await server().admin.get(`${path}?includeObject=x`, { accept: table })
      const message = `Unable to convert to Table as requested: includeObject: Invalid value: "x": must be 'Metadata', 'Object', 'None', or empty`
      expect([answer.status, answer.json]).to.deep.equal([400, badRequest(message)])
    }
  })

  it('writes respond with a Table too, errors never (reference 8.1)', async () => {
    const admin = server().admin.with({ accept: `${table},application/json` })
    const made = await admin.post(users, { metadata: { name: 'tabled' } })
    expect([made.status, made.field('kind'), made.field('rows', 0, 'cells', 0)]).to.deep.equal([
      201,
      'Table',
      'tabled',
    ])
    const exists = await admin.post(users, { metadata: { name: 'tabled' } })
    expect([exists.status, exists.field('kind')]).to.deep.equal([409, 'Status'])
    const gone = await admin.delete(`${users}/tabled`)
    expect([gone.status, gone.field('kind')]).to.deep.equal([200, 'Status'])
  })

  it('the metadata of one object is available (reference 1.9)', async () => {
    const [answer, whole] = await Promise.all([
      server().admin.get(item, { accept: metadata }),
      server().admin.get(item),
    ])
    expect(answer.json).to.deep.equal({
      kind: 'PartialObjectMetadata',
      apiVersion: 'meta.k8s.io/v1',
      metadata: whole.field('metadata'),
    })
  })

  for (const version of ['v1', 'v1beta1']) {
    const apiVersion = `meta.k8s.io/${version}`
    const item = ['PartialObjectMetadata', apiVersion]
    const as = (kind: string, type = 'json') =>
      `application/${type};as=${kind};v=${version};g=meta.k8s.io`
    const typeOf = (value: unknown) => {
      const { kind, apiVersion: found } = value as { kind?: string; apiVersion?: string }
      return [kind, found]
    }

    it(`items of a metadata list in ${version} have kind and apiVersion, in JSON and YAML (reference 0.4, 1.9)`, async () => {
      for (const type of ['json', 'yaml']) {
        const accept = as('PartialObjectMetadataList', type)
        const answer = await server().admin.get(`${users}?limit=1`, { accept })
        // The YAML parser also reads JSON.
        const list = parse(answer.text) as { items: object[] }
        expect(typeOf(list)).to.deep.equal(['PartialObjectMetadataList', apiVersion])
        expect(list.items.map(typeOf)).to.deep.equal([item])
        expect(Object.keys(list.items[0] ?? {}).sort()).to.deep.equal([
          'apiVersion',
          'kind',
          'metadata',
        ])
      }
    })

    it(`events of a watch and objects in table rows in ${version} have them too (reference 0.4, 1.9)`, async () => {
      const watch = `${users}?watch=1&timeoutSeconds=1&fieldSelector=metadata.name%3Dadmin`
      const event = await server().admin.get(watch, { accept: as('PartialObjectMetadata') })
      expect(typeOf(event.field('object'))).to.deep.equal(item)
      const table = await server().admin.get(`${users}?limit=1`, { accept: as('Table') })
      expect(typeOf(table.field('rows', 0, 'object'))).to.deep.equal(item)
    })
  }

  const mismatches = [
    [
      'GET',
      users,
      metadata,
      'you requested PartialObjectMetadata, but the requested object is a list (*management.UserList)',
    ],
    [
      'GET',
      item,
      metadataList,
      'you requested PartialObjectMetadataList, but the requested object is not a list (*management.User)',
    ],
    [
      'POST',
      users,
      metadataList,
      'you requested PartialObjectMetadataList, but the requested object is not a list (*management.User)',
    ],
  ] as const
  for (const [method, path, accept, message] of mismatches) {
    it(`${method} ${message}: 406 (reference 1.9)`, async () => {
      const body = '{"metadata":{"name":"mismatch"}}'
      const answer = await server().admin.call(path, {
        method,
        headers: { accept },
        ...(method === 'POST' ? { body } : {}),
      })
      expect([answer.status, answer.json]).to.deep.equal([
        406,
        failure(406, 'NotAcceptable', message),
      ])
      expect((await server().admin.get(`${users}/mismatch`)).status).to.equal(404)
    })
  }

  it('a watch in YAML is 406, the error in YAML (reference 1.9)', async () => {
    const answer = await server().admin.get(`${users}?watch=1`, { accept: 'application/yaml' })
    const message =
      'only the following media types are accepted: application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch'
    expect([answer.status, parse(answer.text)]).to.deep.equal([
      406,
      failure(406, 'NotAcceptable', message),
    ])
    expect(answer.headers['content-type']).to.equal('application/yaml')
  })

  const pretty = [
    ['?pretty=true', {}, true],
    ['?pretty=1', {}, true],
    ['?pretty=false', { 'user-agent': 'curl/8' }, false],
    ['?pretty=', { 'user-agent': 'curl/8' }, true],
    ['', { 'user-agent': 'curl/8.1' }, true],
    ['', { 'user-agent': 'Wget/1.2' }, true],
    ['', { 'user-agent': 'Mozilla/5.0 (X11)' }, true],
    ['', { accept: 'application/json;pretty=1' }, true],
    ['', { 'user-agent': 'kubectl/v1' }, false],
  ] as const
  for (const [query, headers, isPretty] of pretty) {
    it(`${query} ${JSON.stringify(headers)}: ${isPretty ? 'indented' : 'one line'} (reference 1.10)`, async () => {
      for (const path of [item, users, `${users}/nobody`, '/apis', '/api/v1']) {
        const answer = await server().admin.get(`${path}${query}`, headers)
        const want = isPretty
          ? JSON.stringify(answer.json, null, 2)
          : `${JSON.stringify(answer.json)}\n`
        expect(answer.text).to.equal(want)
      }
    })
  }

  it('keys are ordered in objects and lists (reference 1.10)', async () => {
    const object = await server().admin.get(item)
    expect(Object.keys(object.json as object)).to.deep.equal([
      'kind',
      'apiVersion',
      'metadata',
      'spec',
      'status',
    ])
    expect(Object.keys(object.field('metadata') as object).slice(0, 5)).to.deep.equal([
      'name',
      'uid',
      'resourceVersion',
      'generation',
      'creationTimestamp',
    ])
    const list = await server().admin.get(secrets)
    expect(list.text).to.match(
      /^\{"kind":"SharedSecretList","apiVersion":"management\.platform\/v1","metadata":\{"resourceVersion":"\d+"\},"items":\[\]\}\n$/,
    )
  })

  describe('compressed', () => {
    before(async () => {
      const data = { a: Buffer.alloc(100_000, 'x').toString('base64') }
      for (const name of ['large-1', 'large-2']) {
        await server().admin.post(secrets, { metadata: { name }, spec: { data } })
      }
    })
    after(async () => {
      await server().admin.delete(secrets)
    })

    // The server's own writes may raise the revision of a list between two reads.
    const ofNow = (text: string) => text.replace(/"resourceVersion":"\d+"},"items"/, '"items"')
    const encodings = [
      ['gzip', true],
      ['deflate, gzip', true],
      ['gzip;q=1', false],
      ['identity', false],
      ['br', false],
    ] as const
    for (const [encoding, isZipped] of encodings) {
      it(`${encoding}: ${isZipped ? 'gzip' : 'identity'} above 128 KiB (reference 1.11)`, async () => {
        for (const path of [`${secrets}/large-1`, secrets]) {
          const plainText = (await server().admin.get(path)).text
          const isLarge = plainText.length > 128 * 1024
          const answer = await server().admin.get(path, { 'accept-encoding': encoding })
          const { vary, 'content-encoding': sent } = answer.headers
          const isSent = isZipped && isLarge
          expect([sent, vary]).to.deep.equal(
            isSent ? ['gzip', 'Accept-Encoding'] : [undefined, undefined],
          )
          const text = isSent ? gunzipSync(answer.bytes).toString() : answer.text
          expect(ofNow(text) === ofNow(plainText)).to.equal(true)
          expect(answer.headers['content-length']).to.equal(String(answer.bytes.length))
        }
      })
    }

    it('smaller responses are not compressed (reference 1.11)', async () => {
      const answer = await server().admin.get(item, { 'accept-encoding': 'gzip' })
      expect(answer.headers).to.not.have.any.keys('content-encoding', 'vary')
    })
  })
})
