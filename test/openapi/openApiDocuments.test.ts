import { createHash } from 'node:crypto'
import { Validator } from '@seriousme/openapi-schema-validator'
import { expect } from 'chai'
import type { GroupVersion } from '../../apiserver/meta/types.ts'
import { ResourceSet } from '../../apiserver/registry/resourceSet.ts'
import { OpenApiDocuments } from '../../openapi/documents/openApiDocuments.ts'
import { fixtureResources, gadget, note, widget } from '../support/kinds/fixtureResources.ts'
import { expectGolden } from '../support/tables/golden.ts'
import { bareDefinitions } from '../support/kinds/bareDefinitions.ts'

const info = { title: 'Fixture', version: 'v1.34.0' }
const keys = ['api', 'api/v1', 'apis', 'apis/example.dev', 'apis/example.dev/v1'].concat(
  'apis/example.dev/v1beta1',
  'version',
)

describe('OpenApiDocuments (reference 6.4, 6.5)', () => {
  const documents = new OpenApiDocuments(
    new ResourceSet([...fixtureResources, note]),
    info,
    bareDefinitions,
  )

  it('lists every document with its hash in the index', async () => {
    const { body, contentType } = await documents.v3Index()
    const urls = await Promise.all(
      keys.map(async (key) => [
        key,
        { serverRelativeURL: `/openapi/v3/${key}?hash=${(await documents.v3(key))?.hash}` },
      ]),
    )
    expect(JSON.parse(body.toString())).to.deep.equal({ paths: Object.fromEntries(urls) as object })
    expect(contentType).to.equal('text/plain; charset=utf-8')
  })

  for (const key of keys) {
    it(`serves v3 ${key} as in the golden file, valid by an independent validator`, async () => {
      const document = parsed((await documents.v3(key))?.body)
      expectGolden(`openapi/v3-${key.replaceAll('/', '_')}.json`, document)
      expect(await new Validator().validate(document)).to.deep.equal({ valid: true })
    })
  }

  it('serves v2 as in the golden file, valid by an independent validator', async () => {
    const document = parsed((await documents.v2()).body)
    expectGolden('openapi/v2.json', document)
    expect(await new Validator().validate(document)).to.deep.equal({ valid: true })
  })

  for (const key of [...keys, 'v2']) {
    it(`has no dangling references: ${key}`, async () => {
      const document = parsed((await (key === 'v2' ? documents.v2() : documents.v3(key)))?.body)
      const missing = referencesIn(document).filter((ref) => pointed(document, ref) === undefined)
      expect(missing).to.deep.equal([])
    })
  }

  it('has unique operation ids', async () => {
    const { body } = await documents.v2()
    const ids = [...body.toString().matchAll(/"operationId":"([^"]*)"/g)]
    const names = ids.map(([, id]) => id)
    expect(new Set(names).size).to.equal(names.length)
  })

  it('has the hash of the JSON as ETag, for both forms of v2', async () => {
    const { body, etag } = await documents.v2()
    expect(etag).to.equal(`"${createHash('sha512').update(body).digest('hex').toUpperCase()}"`)
    expect((await documents.v2Protobuf()).etag).to.equal(etag)
  })

  it('has no document outside the index', () => {
    expect(documents.v3('apis/other.dev/v1')).to.equal(undefined)
    expect(documents.v3('')).to.equal(undefined)
  })

  it('builds a document once, and again after a change', async () => {
    const set = new ResourceSet([widget])
    const own = new OpenApiDocuments(set, info, bareDefinitions)
    const [v3, v2, protobuf] = await all(own)
    expect(await all(own)).to.deep.equal([v3, v2, protobuf])
    set.add(gadget)
    const [otherV3, otherV2, otherProtobuf] = await all(own)
    expect(otherV3?.etag).not.to.equal(v3?.etag)
    expect(otherV2?.etag).not.to.equal(v2?.etag)
    expect(otherProtobuf?.etag).to.equal(otherV2?.etag)
  })

  it('keeps the documents of unchanged groups', async () => {
    const set = new ResourceSet([widget, note])
    const own = new OpenApiDocuments(set, info, bareDefinitions)
    const keyOf = ({ group, version }: GroupVersion) =>
      group === '' ? `api/${version}` : `apis/${group}/${version}`
    const [changed, unchanged] = [keyOf(widget), keyOf(note)]
    const before = [await own.v3(changed), await own.v3(unchanged)]
    set.add({ ...gadget, group: widget.group, version: widget.version })
    expect(await own.v3(unchanged)).to.equal(before[1])
    expect((await own.v3(changed))?.hash).not.to.equal(before[0]?.hash)
  })

  it('reflects the state at the request, even if a kind is deleted while it is built', async () => {
    const set = new ResourceSet([widget, gadget])
    const own = new OpenApiDocuments(set, info, bareDefinitions)
    const whole = own.v2()
    set.remove(gadget)
    expect((await whole).body.toString()).to.contain(`/${gadget.plural}`)
    expect((await own.v2()).body.toString()).not.to.contain(`/${gadget.plural}`)
  })
})

function all(documents: OpenApiDocuments) {
  return Promise.all([documents.v3Index(), documents.v2(), documents.v2Protobuf()])
}

function parsed(body: Buffer | undefined): Record<string, unknown> {
  if (body === undefined) throw new Error('the document is not served')
  // Sound: every document is a JSON object; the validator would refuse anything else.
  return JSON.parse(body.toString()) as Record<string, unknown>
}

function referencesIn(document: object): string[] {
  const matches = JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]*)"/g)
  return [...matches].map(([, path]) => path ?? '')
}

function pointed(document: unknown, path: string): unknown {
  let value = document
  for (const name of path.split('/')) {
    if (typeof value !== 'object' || value === null) return undefined
    value = Object.entries(value).find(([key]) => key === name)?.[1]
  }
  return value
}
