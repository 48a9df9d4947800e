import { createHash } from 'node:crypto'
import { expect } from 'chai'
import { DiscoveryDocuments } from '../../apiserver/discovery/discoveryDocuments.ts'
import { rootPaths } from '../../apiserver/discovery/rootPaths.ts'
import type { ServedDocument } from '../../apiserver/discovery/servedDocument.ts'
import { ResourceSet } from '../../apiserver/registry/resourceSet.ts'
import { fixtureResources, gadget, note, widget } from '../support/kinds/fixtureResources.ts'
import { expectGolden } from '../support/tables/golden.ts'

describe('DiscoveryDocuments (reference 6.1, 6.2)', () => {
  const documents = new DiscoveryDocuments(new ResourceSet([gadget, widget, note]))
  const cases = [
    { name: 'api', document: () => documents.api('127.0.0.1:8443') },
    { name: 'apis', document: () => documents.apis() },
    { name: 'group', document: () => documents.group('example.dev') },
    {
      name: 'resources-core-v1',
      document: () => documents.groupVersion({ group: '', version: 'v1' }),
    },
    {
      name: 'resources-example.dev-v1',
      document: () => documents.groupVersion({ group: 'example.dev', version: 'v1' }),
    },
    {
      name: 'resources-example.dev-v1beta1',
      document: () => documents.groupVersion({ group: 'example.dev', version: 'v1beta1' }),
    },
    { name: 'aggregated-api-v2', document: () => documents.aggregated('api', 'v2') },
    { name: 'aggregated-apis-v2', document: () => documents.aggregated('apis', 'v2') },
    { name: 'aggregated-apis-v2beta1', document: () => documents.aggregated('apis', 'v2beta1') },
  ]
  for (const { name, document } of cases) {
    it(`serves ${name} as in the golden file`, () => {
      expectGolden(`discovery/${name}.json`, parsed(document()))
    })
  }

  it('returns compact JSON with a trailing newline and its hash as the ETag', () => {
    const { body, etag, contentType } = served(documents.aggregated('apis', 'v2'))
    const json = body.toString().slice(0, -1)
    expect(body.toString()).to.equal(`${JSON.stringify(JSON.parse(json))}\n`)
    const hash = createHash('sha512').update(json).digest('hex').toUpperCase()
    expect(etag).to.equal(`"${hash}"`)
    expect(contentType).to.equal(
      'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
    )
  })

  it('has no document for an unknown group or version', () => {
    expect(documents.group('other.dev')).to.equal(undefined)
    expect(documents.group('')).to.equal(undefined)
    expect(documents.groupVersion({ group: 'example.dev', version: 'v2' })).to.equal(undefined)
  })

  it('has no /api without a core group', () => {
    const coreless = new DiscoveryDocuments(new ResourceSet(fixtureResources))
    expect(coreless.api('127.0.0.1:8443')).to.equal(undefined)
    expect(coreless.aggregated('api', 'v2')).to.equal(undefined)
  })

  it('builds a document once, and again after a change', () => {
    const set = new ResourceSet([widget])
    const own = new DiscoveryDocuments(set)
    const first = own.apis()
    expect(own.apis()).to.equal(first)
    set.add(gadget)
    expect(parsed(own.apis())).to.deep.equal(parsed(documents.apis()))
    set.remove(gadget)
    expect(parsed(own.apis())).to.deep.equal(parsed(first))
  })
})

describe('rootPaths (reference 6.8)', () => {
  it('lists the API and the extra paths, sorted', () => {
    const set = new ResourceSet([widget, gadget, note])
    expect(rootPaths(set, ['/version', '/healthz'])).to.deep.equal({
      paths: [
        '/api',
        '/api/v1',
        '/apis',
        '/apis/example.dev',
        '/apis/example.dev/v1',
        '/apis/example.dev/v1beta1',
        '/healthz',
        '/version',
      ],
    })
  })
})

function served(document: ServedDocument | undefined): ServedDocument {
  if (document === undefined) throw new Error('the document is not served')
  return document
}

function parsed(document: ServedDocument | undefined): unknown {
  return JSON.parse(served(document).body.toString())
}
