import { expect } from 'chai'
import { acceptedTypes, defaultTypes } from '../../apiserver/encoding/mediaTypes.ts'
import { negotiate } from '../../apiserver/encoding/negotiate.ts'
import { negotiateAggregatedDiscovery } from '../../apiserver/encoding/negotiateDiscovery.ts'
import { Negotiator } from '../../apiserver/encoding/negotiator.ts'

const json = { mediaType: 'application/json', pretty: false, stream: '' }
const yaml = { mediaType: 'application/yaml', pretty: false, stream: '' }
const table = { group: 'meta.k8s.io', version: 'v1', kind: 'Table' }
const partial = { group: 'meta.k8s.io', version: 'v1', kind: 'PartialObjectMetadata' }
const kubectlTable =
  'application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json'

describe('negotiate', () => {
  const cases = [
    [undefined, json],
    ['', json],
    ['*/*', json],
    ['*', json],
    ['application/*', json],
    ['application/yaml', yaml],
    ['text/html', undefined],
    ['text/html, */*;q=0.1', json],
    ['application/json;q=0.5, application/yaml', yaml],
    ['*/*, application/yaml', yaml],
    ['application/*, application/yaml;q=0.9', yaml],
    ['application/json;q=0', json],
    ['application/vnd.kubernetes.protobuf', undefined],
    ['application/vnd.kubernetes.protobuf, application/json', json],
    ['application/json; charset=utf-8', json],
    ['application/json;pretty=1', { ...json, pretty: true }],
    ['application/json;pretty=0', json],
    ['application/json;stream=watch', { ...json, stream: 'watch' }],
    ['application/json;stream=x, application/yaml', yaml],
    ['application/yaml;stream=watch', undefined],
    ['application/json;sv=v1, application/yaml', yaml],
    ['Application/JSON', undefined],
    ['application/json/x', undefined],
    [kubectlTable, { ...json, convert: table }],
    ['application/json; g=meta.k8s.io ;as=Table; v=v1', { ...json, convert: table }],
    ['application/yaml;as=Table;g=meta.k8s.io;v=v1', { ...yaml, convert: table }],
    ['application/json;as=Table;g=meta.k8s.io;v=v2', undefined],
    ['application/json;as=Table;v=v1', undefined],
    ['application/json;as=Other;g=meta.k8s.io;v=v1,application/json', json],
    ['*/*;as=PartialObjectMetadata;g=meta.k8s.io;v=v1', { ...json, convert: partial }],
  ] as const
  for (const [accept, want] of cases) {
    it(`${accept ?? 'nothing'}: ${want === undefined ? 'not acceptable' : JSON.stringify(want)}`, () => {
      expect(negotiate(accept, { transforms: 'table-and-metadata' })).to.deep.equal(want)
    })
  }

  it('skips a form that the resource does not support', () => {
    expect(negotiate(kubectlTable, { transforms: 'metadata' })).to.deep.equal(json)
    expect(negotiate(kubectlTable, { transforms: 'none' })).to.deep.equal(json)
    const metadata = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1'
    expect(negotiate(metadata, { transforms: 'metadata' })).to.deep.equal({
      ...json,
      convert: partial,
    })
    expect(negotiate(metadata, { transforms: 'none' })).to.equal(undefined)
  })

  it('refuses a watch whose first choice cannot stream', () => {
    const watch = { transforms: 'none', stream: true } as const
    expect(negotiate('application/yaml, application/json', watch)).to.equal(undefined)
    expect(negotiate('application/json, application/yaml', watch)).to.deep.equal(json)
  })

  it('accepts protobuf if whole objects have it, but no protobuf Table', () => {
    const types = defaultTypes.map((type) => ({ ...type, onlyMetadata: false }))
    const protobuf = { ...json, mediaType: 'application/vnd.kubernetes.protobuf' }
    const accept = 'application/vnd.kubernetes.protobuf'
    expect(negotiate(accept, { transforms: 'none', types })).to.deep.equal(protobuf)
    const asTable = `${accept};as=Table;g=meta.k8s.io;v=v1`
    expect(negotiate(asTable, { transforms: 'table-and-metadata', types })).to.equal(undefined)
  })
})

describe('acceptedTypes', () => {
  it('lists all known types, and only the streaming ones for a watch', () => {
    expect(acceptedTypes(defaultTypes)).to.deep.equal([
      'application/json',
      'application/yaml',
      'application/vnd.kubernetes.protobuf',
    ])
    expect(acceptedTypes(defaultTypes, true)).to.deep.equal([
      'application/json;stream=watch',
      'application/vnd.kubernetes.protobuf;stream=watch',
    ])
  })
})

describe('Negotiator', () => {
  it('returns the same as the function, also repeatedly', () => {
    const negotiator = new Negotiator()
    for (const transforms of ['none', 'table-and-metadata', 'none'] as const) {
      for (const stream of [true, false]) {
        for (const accept of [undefined, kubectlTable, 'text/html', 'application/yaml']) {
          const want = negotiate(accept, { transforms, stream })
          expect(negotiator.negotiate(accept, { transforms, stream })).to.deep.equal(want)
        }
      }
    }
  })

  it('caches results up to a limit', () => {
    const negotiator = new Negotiator()
    const first = negotiator.negotiate(kubectlTable, { transforms: 'none' })
    expect(negotiator.negotiate(kubectlTable, { transforms: 'none' })).to.equal(first)
    for (let index = 0; index < 500; index++) {
      negotiator.negotiate(`application/json;x=${index}`, { transforms: 'none' })
    }
    const again = negotiator.negotiate(kubectlTable, { transforms: 'none' })
    expect(again).to.deep.equal(first)
    expect(again).to.not.equal(first)
  })
})

describe('negotiateAggregatedDiscovery', () => {
  const as = 'as=APIGroupDiscoveryList'
  const g = 'g=apidiscovery.k8s.io'
  const answer = (version: string, mediaType = 'application/json') => ({
    version,
    mediaType,
    contentType: `${mediaType};${g};v=${version};${as}`,
  })
  const protobuf = 'application/vnd.kubernetes.protobuf'
  const cases = [
    [undefined, undefined],
    ['application/json', undefined],
    ['*/*', undefined],
    [`application/json;${g};v=v2;${as},application/json`, answer('v2')],
    [`application/json;${as};v=v2;${g}`, answer('v2')],
    [`application/json;${g};v=v2;${as};profile=nopeer`, answer('v2')],
    [`application/json;${g};v=v2beta1;${as},application/json`, answer('v2beta1')],
    [
      `application/json;${g};v=v2;${as},application/json;${g};v=v2beta1;${as},application/json`,
      answer('v2'),
    ],
    [`application/json,application/json;${g};v=v2;${as};q=0.1`, answer('v2')],
    [`application/json;${g};v=v3;${as}`, undefined],
    [`${protobuf};${g};v=v2;${as},application/json`, answer('v2', protobuf)],
    [`${protobuf};${g};v=v2beta1;${as},application/json`, undefined],
    [`application/yaml;${g};v=v2;${as}`, undefined],
  ] as const
  for (const [accept, want] of cases) {
    it(`${accept ?? 'nothing'}: ${want?.version ?? 'legacy'} (reference 6.2)`, () => {
      expect(negotiateAggregatedDiscovery(accept)).to.deep.equal(want)
    })
  }
})
