import { expect } from 'chai'
import { createHash } from 'node:crypto'
import { parse } from 'yaml'
import { ProtobufCodec } from '../../../apiserver/encoding/protobuf/protobufCodec.ts'
import { failure } from '../support/status.ts'
import { useTestServer } from '../support/testServer.ts'

const aggregated = (version: string) =>
  `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`
const protobufV2 = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf'
const protobufV3 = 'application/com.github.proto-openapi.spec.v3.v1.0+protobuf'
const protobufType = 'application/vnd.kubernetes.protobuf'

function hashOf(text: string): string {
  return createHash('sha512').update(text.trimEnd()).digest('hex').toUpperCase()
}

describe('discovery, OpenAPI and the version', () => {
  const server = useTestServer()
  const roots = ['', '/kubernetes/management']

  for (const root of roots) {
    const kinds = [
      ['/api', 'APIVersions'],
      ['/apis', 'APIGroupList'],
      ['/apis/management.platform', 'APIGroup'],
      ['/apis/management.platform/v1', 'APIResourceList'],
      ['/api/v1', 'APIResourceList'],
    ] as const
    for (const [path, kind] of kinds) {
      it(`${root}${path}: ${kind}, in JSON and YAML, without an ETag (reference 0.4, 6.1)`, async () => {
        const { admin } = server()
        const json = await admin.get(root + path)
        expect([json.status, json.headers['content-type'], json.field('kind')]).to.deep.equal([
          200,
          'application/json',
          kind,
        ])
        expect([json.headers.etag, json.headers['cache-control']]).to.deep.equal([
          undefined,
          'no-cache, private',
        ])
        const yaml = await admin.get(root + path, { accept: 'application/yaml' })
        expect([yaml.headers['content-type'], parse(yaml.text)]).to.deep.equal([
          'application/yaml',
          json.json,
        ])
        const refused = await admin.get(root + path, { accept: 'text/html' })
        expect([refused.status, refused.field('reason')]).to.deep.equal([406, 'NotAcceptable'])
      })
    }

    for (const path of ['/api', '/apis']) {
      for (const version of ['v2', 'v2beta1']) {
        it(`${root}${path} aggregated in ${version}, 304 for its ETag (reference 6.2)`, async () => {
          const accept = `${aggregated(version)},application/json`
          const answer = await server().admin.get(root + path, { accept })
          expect([answer.status, answer.headers['content-type']]).to.deep.equal([
            200,
            aggregated(version),
          ])
          const { etag = '', vary } = answer.headers
          expect([etag, vary]).to.deep.equal([`"${hashOf(answer.text)}"`, 'Accept'])
          expect(answer.headers['cache-control']).to.equal('public')
          const again = await server().admin.get(root + path, { accept, 'if-none-match': etag })
          expect([again.status, again.text, again.headers.etag]).to.deep.equal([304, '', etag])
        })
      }
    }

    it(`${root}/apis, v2 first or v2beta1 first (reference 6.2)`, async () => {
      const both = [aggregated('v2'), aggregated('v2beta1'), 'application/json']
      for (const accept of [both.join(','), [...both.slice(0, 2).reverse(), both[2]].join(', ')]) {
        const answer = await server().admin.get(`${root}/apis`, { accept })
        expect(answer.headers['content-type']).to.equal(accept.split(',')[0])
      }
    })

    it(`${root}/version is indented and public (reference 6.8)`, async () => {
      const answer = await server().admin.with({ authorization: '' }).get(`${root}/version`)
      expect([answer.status, answer.text]).to.deep.equal([
        200,
        JSON.stringify(answer.json, null, 2),
      ])
      expect(answer.field('gitVersion')).to.match(/^v1\.\d+\.\d+\+/)
    })

    it(`${root}/openapi/v2 in JSON and protobuf, with one ETag (reference 6.4)`, async () => {
      const { admin } = server()
      const json = await admin.get(`${root}/openapi/v2`)
      expect([json.status, json.field('swagger')]).to.deep.equal([200, '2.0'])
      expect(json.headers.etag).to.equal(`"${hashOf(json.text)}"`)
      for (const accept of [protobufV2, protobufV2.replace('v2.v1', 'v2@v1')]) {
        const proto = await admin.get(`${root}/openapi/v2`, { accept })
        const { etag, vary, 'content-type': type } = proto.headers
        expect([proto.status, type, etag, vary]).to.deep.equal([
          200,
          protobufV2,
          json.headers.etag,
          'Accept-Encoding, Accept',
        ])
      }
      expect(json.headers['cache-control']).to.equal('no-cache, private')
      const posted = await admin.post(`${root}/openapi/v2`, {})
      expect([posted.status, posted.headers.etag]).to.deep.equal([200, json.headers.etag])
      const same = await admin.get(`${root}/openapi/v2`, { 'if-none-match': json.headers.etag })
      expect(same.status).to.equal(304)
      const refused = await admin.get(`${root}/openapi/v2`, { accept: 'text/html' })
      expect([refused.status, refused.text]).to.deep.equal([406, ''])
    })

    it(`${root}/openapi/v3: the index, and documents by their hashes (reference 6.5)`, async () => {
      const { admin } = server()
      const index = await admin.get(`${root}/openapi/v3`)
      expect([index.status, index.headers['content-type']]).to.deep.equal([
        200,
        'text/plain; charset=utf-8',
      ])
      const relative = String(
        index.field('paths', 'apis/management.platform/v1', 'serverRelativeURL'),
      )
      const [path = '', hash] = relative.split('?hash=')
      const document = await admin.get(root + relative)
      expect([document.status, document.field('openapi')]).to.deep.equal([200, '3.0.0'])
      expect([hash, document.headers.etag]).to.deep.equal([
        hashOf(document.text),
        `"${hashOf(document.text)}"`,
      ])
      expect(document.headers['cache-control']).to.equal('public, immutable')
      expect(Date.parse(document.headers.expires ?? '')).to.be.greaterThan(Date.now())

      const wrong = await admin.get(`${root}${path}?hash=ABC`)
      expect([wrong.status, wrong.headers.location]).to.deep.equal([301, root + relative])
      const plain = await admin.get(root + path)
      expect(plain.headers['cache-control']).to.equal('no-cache, private')
      expect([plain.status, plain.headers.expires, plain.text]).to.deep.equal([
        200,
        undefined,
        document.text,
      ])
      const refused = await admin.get(root + path, { accept: 'text/html' })
      expect([refused.status, refused.text]).to.deep.equal([406, ''])
      const same = await admin.get(root + path, { 'if-none-match': plain.headers.etag })
      expect([same.status, same.text]).to.deep.equal([304, ''])
    })

    it(`${root}/openapi/v3/<key> in protobuf, with the hash of the JSON (reference 6.5)`, async () => {
      const { admin } = server()
      const path = `${root}/openapi/v3/apis/management.platform/v1`
      const json = await admin.get(path, { accept: `${protobufV3};q=0.5, application/json` })
      expect(json.headers['content-type']).to.equal('application/json')
      for (const accept of [protobufV3, protobufV3.replace('v3.v1', 'v3@v1')]) {
        const proto = await admin.get(path, { accept })
        const { etag, vary, 'content-type': type } = proto.headers
        expect([proto.status, type, etag, vary]).to.deep.equal([
          200,
          protobufV3,
          json.headers.etag,
          'Accept',
        ])
        const hash = etag?.replaceAll('"', '')
        const hashed = await admin.get(`${path}?hash=${hash}`, { accept })
        expect(hashed.bytes).to.deep.equal(proto.bytes)
        expect(hashed.headers['cache-control']).to.equal('public, immutable')
      }
    })

    it(`${root}/ lists the paths (reference 6.8)`, async () => {
      const answer = await server().admin.get(`${root}/`)
      expect(answer.field('paths')).to.include.members([
        '/api',
        '/apis',
        '/apis/management.platform/v1',
        '/healthz',
        '/metrics',
        '/openapi/v2',
        '/version',
      ])
    })
  }

  const codec = new ProtobufCodec()
  for (const path of [
    '/api',
    '/apis',
    '/apis/management.platform',
    '/apis/management.platform/v1',
    '/api/v1',
  ]) {
    it(`${path} in protobuf equals the JSON (reference 6.1)`, async () => {
      const { admin } = server()
      const json = await admin.get(path)
      const proto = await admin.get(path, { accept: `${protobufType},application/json` })
      expect([proto.status, proto.headers['content-type']]).to.deep.equal([200, protobufType])
      const { value } = await codec.decode(proto.bytes)
      // Sound: a document is an object.
      expect(value).to.deep.equal({ apiVersion: 'v1', ...(json.json as object) })
    })
  }

  for (const path of ['/api', '/apis']) {
    it(`${path} aggregated in protobuf equals the JSON (reference 6.2)`, async () => {
      const { admin } = server()
      const json = await admin.get(path, { accept: aggregated('v2') })
      const accept = aggregated('v2').replace('application/json', protobufType)
      const proto = await admin.get(path, { accept })
      expect([proto.status, proto.headers['content-type']]).to.deep.equal([200, accept])
      expect(proto.headers.etag).to.equal(json.headers.etag)
      const { value } = await codec.decode(proto.bytes)
      // A group has no creation time, which is null in JSON and omitted in this form.
      const said: unknown = JSON.parse(
        json.text
          .replaceAll(',"creationTimestamp":null', '')
          .replaceAll('"creationTimestamp":null', ''),
      )
      expect(value).to.deep.equal(said)
    })
  }

  it('the older aggregated form has no protobuf: JSON if that is accepted too (reference 6.2)', async () => {
    const old = aggregated('v2beta1')
    const accept = `${old.replace('application/json', protobufType)},${old}`
    const answer = await server().admin.get('/apis', { accept })
    expect(answer.headers['content-type']).to.equal(old)
  })

  it('an unknown document is 404 without a body, as on kube-apiserver', async () => {
    const answer = await server().admin.get('/openapi/v3/apis/nothing.dev/v1')
    expect([answer.status, answer.text]).to.deep.equal([404, ''])
  })

  it('an unsupported form is 406 (reference 1.9)', async () => {
    const answer = await server().admin.get('/apis', { accept: aggregated('v3') })
    expect([answer.status, answer.json]).to.deep.equal([
      406,
      failure(
        406,
        'NotAcceptable',
        'only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf',
      ),
    ])
  })
})
