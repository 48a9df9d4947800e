import { expect } from 'chai'
import { gunzipSync } from 'node:zlib'
import { mediaTypeOf } from '../../apiserver/encoding/contentType.ts'
import { acceptsGzip, gzipBody } from '../../apiserver/encoding/gzip.ts'
import { prettyJson, wantsPretty } from '../../apiserver/encoding/pretty.ts'

describe('mediaTypeOf (reference 1.12)', () => {
  const cases = [
    [undefined, 'application/json'],
    ['', 'application/json'],
    ['application/yaml', 'application/yaml'],
    ['Application/JSON; charset=utf-8', 'application/json'],
    ['application/merge-patch+json', undefined],
    ['nonsense', undefined],
  ] as const
  for (const [header, want] of cases) {
    it(`${JSON.stringify(header)}: ${want ?? 'unknown'}`, () => {
      expect(mediaTypeOf(header, ['application/json', 'application/yaml'])).to.equal(want)
    })
  }

  it('returns any type if no types are known', () => {
    expect(mediaTypeOf('application/merge-patch+json;a=b')).to.equal('application/merge-patch+json')
  })
})

describe('acceptsGzip (reference 1.11)', () => {
  const cases = [
    [undefined, false],
    ['gzip', true],
    ['deflate, gzip', true],
    ['br,gzip ,x', true],
    ['gzip;q=1', false],
    ['GZIP', false],
    ['identity', false],
  ] as const
  for (const [header, want] of cases) {
    it(`${JSON.stringify(header)}: ${want}`, () => expect(acceptsGzip(header)).to.equal(want))
  }
})

describe('gzipBody (reference 1.11)', () => {
  it('can be decompressed, and is smaller', async () => {
    const body = Buffer.from('a sentence. '.repeat(20_000))
    const compressed = await gzipBody(body)
    expect(gunzipSync(compressed).equals(body)).to.equal(true)
    expect(compressed.length).to.be.lessThan(body.length / 10)
  })
})

describe('wantsPretty (reference 1.10)', () => {
  const cases = [
    [{}, false],
    [{ accept: true }, true],
    [{ accept: true, query: 'false' }, true],
    [{ query: '1' }, true],
    [{ query: 'True' }, true],
    [{ query: 'yes' }, false],
    [{ query: 'false', userAgent: 'curl/8' }, false],
    [{ query: '', userAgent: 'curl/8' }, true],
    [{ userAgent: 'Wget/1' }, true],
    [{ userAgent: 'Mozilla/5.0 (X11)' }, true],
    [{ userAgent: 'Mozilla/4.0' }, false],
    [{ userAgent: 'kubectl/v1.36 curl' }, false],
  ] as const
  for (const [hints, want] of cases) {
    it(`${JSON.stringify(hints)}: ${want}`, () => {
      const all = { query: undefined, userAgent: undefined, accept: false, ...hints }
      expect(wantsPretty(all)).to.equal(want)
    })
  }
})

describe('prettyJson (reference 1.10)', () => {
  it('indents by two and ends without a newline', () => {
    expect(prettyJson({ a: [1], b: {} })).to.equal('{\n  "a": [\n    1\n  ],\n  "b": {}\n}')
  })
})
