import { expect } from 'chai'
import fc from 'fast-check'
import { decodeJson, keptDepth } from '../../apiserver/encoding/json.ts'
import { maxDepth } from '../../apiserver/encoding/jsonShape.ts'
import { jsonText } from '../../apiserver/meta/json/exactJson.ts'
import { StatusError } from '../../apiserver/meta/status.ts'

const decode = (text: string) => decodeJson(Buffer.from(text))

describe('decodeJson (reference 1.12, 1.13)', () => {
  const cases = [
    ['{"a":1,"b":[true,null,"x"]}', { a: 1, b: [true, null, 'x'] }, []],
    ['"a:{[\\"b\\":\\\\"', 'a:{["b":\\', []],
    ['{"a":1,"a":2}', { a: 2 }, ['a']],
    ['{"a":1,"\\u0061":2}', { a: 2 }, ['a']],
    [
      '{"metadata":{"labels":{"a":"b","a":"c"}}}',
      { metadata: { labels: { a: 'c' } } },
      ['metadata.labels.a'],
    ],
    [
      '{"spec":{"list":[{"x":1,"x":2},{"y":1,"y":2}]}}',
      { spec: { list: [{ x: 2 }, { y: 2 }] } },
      ['spec.list[0].x', 'spec.list[1].y'],
    ],
    ['[[{"a":1},{"a":1,"a":2}]]', [[{ a: 1 }, { a: 2 }]], ['[0][1].a']],
    ['{"a":{"b":1,"b":2},"a":{"b":3}}', { a: { b: 3 } }, ['a.b', 'a']],
    ['{"a":[],"a":{"c":1},"a":{"c":1,"c":2}}', { a: { c: 2 } }, ['a', 'a.c']],
    ['{"a":{"a":{"a":1}}}', { a: { a: { a: 1 } } }, []],
    ['{ "a" : "\\"a\\":1" , "b\\"" : 1 , "b\\"" : 2 }', { a: '"a":1', 'b"': 2 }, ['b"']],
    ['{"constructor":1,"toString":2}', { constructor: 1, toString: 2 }, []],
    ['9007199254740993', 9007199254740993n, []],
    ['"\\ud83d\\ude00 \\\\ud83d"', '\u{1f600} \\ud83d', []],
    ['{"\\ude00":"\\ud83d\\ud83d\\ude00"}', { '\ufffd': '\ufffd\u{1f600}' }, []],
  ] as const
  for (const [text, value, duplicates] of cases) {
    it(`reads ${text}`, () => expect(decode(text)).to.deep.equal({ value, duplicates }))
  }

  for (const text of ['', '{', '{"a":}', '{"a":1}}', 'nope', '"a', '\ufeff{}', "{'a':1}"]) {
    it(`refuses ${JSON.stringify(text)}: 400`, () => {
      expect(() => decode(text))
        .to.throw(StatusError)
        .with.property('code', 400)
    })
  }

  it('reports numbers outside the range of a double', () => {
    for (const text of ['{"a":[1,{"b":-1e999}]}', '[1e309]', `{"a":1e400,"__proto__":{}}`])
      expect(decode(text).overflow).to.match(/^-?1e\d+$/)
    const deep = `${'['.repeat(1500)}1e400${']'.repeat(1500)}`
    expect(decode(deep).overflow).to.equal('1e400')
    expect(decode('{"a":"1e400","b":1e308,"b":1}').overflow).to.equal(undefined)
  })

  it('reads invalid UTF-8 as replacement characters', () => {
    expect(decodeJson(Buffer.from([0x22, 0xff, 0x22])).value).to.equal('\ufffd')
  })

  it('reads objects of the maximum depth', () => {
    const deepest = '['.repeat(keptDepth) + ']'.repeat(keptDepth)
    expect(JSON.stringify(decode(deepest).value)).to.equal(deepest)
  })

  const nested = (opening: string, closing: string, depth: number) =>
    `${opening.repeat(depth)}1${closing.repeat(depth)}`

  for (const [opening, closing] of [
    ['[', ']'],
    ['{"a":', '}'],
  ] as const) {
    const bracket = opening.charAt(0)
    const exceeded = { code: 400, message: `invalid character '${bracket}' exceeded max depth` }

    it(`reads ${maxDepth} of ${opening} as opaque content`, () => {
      const deep = nested(opening, closing, maxDepth - 1)
      const { value, duplicates } = decode(`{"a":${deep},"b":{"__proto__":1,"c":1,"c":2}}`)
      const { a, b } = value as { a: unknown; b: unknown }
      expect([JSON.stringify(b), duplicates]).to.deep.equal(['{"__proto__":1,"c":2}', ['b.c']])
      for (const look of [JSON.stringify, structuredClone])
        expect(() => look(a))
          .to.throw(StatusError)
          .that.deep.include(exceeded)
    })

    it(`refuses ${maxDepth + 1} of ${opening}: 400`, () => {
      expect(() => decode(nested(opening, closing, maxDepth + 1)))
        .to.throw(StatusError)
        .that.deep.include(exceeded)
    })
  }

  for (const opening of ['[', '{"a":', '[{"a":']) {
    it(`refuses a million of ${opening}: 400`, () => {
      expect(() => decode(opening.repeat(1e6)))
        .to.throw(StatusError)
        .that.deep.include({ code: 400 })
        .with.property('message')
        .that.matches(/^invalid character '[[{]' exceeded max depth$/)
    })
  }

  it('reports at most 100 duplicates, each once', () => {
    const twice = Array.from(
      { length: 150 },
      (_, index) => `"k${index}":1,"k${index}":1,"k${index}":1`,
    )
    const { duplicates } = decode(`{${twice.join()}}`)
    expect(duplicates).to.deep.equal(Array.from({ length: 100 }, (_, index) => `k${index}`))
  })

  it('keeps a key __proto__ as data at any depth', () => {
    const { value, duplicates } = decode(
      '{"a":[{"__proto__":{"polluted":1},"b":1}],"\\u005f_proto__":{"polluted":1}}',
    )
    expect(JSON.stringify(value)).to.equal(
      '{"a":[{"__proto__":{"polluted":1},"b":1}],"__proto__":{"polluted":1}}',
    )
    expect(duplicates).to.deep.equal([])
    expect(Reflect.get(value as object, 'polluted')).to.equal(undefined)
  })

  it('finds duplicates in and beside __proto__', () => {
    const { value, duplicates } = decode('{"__proto__":{"a":1,"a":2},"b":1,"b":2}')
    expect(JSON.stringify(value)).to.equal('{"__proto__":{"a":2},"b":2}')
    expect(duplicates).to.deep.equal(['__proto__.a', 'b'])
  })

  it('reads everything that JSON.stringify writes, without duplicates', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (json, indent) => {
        const text = JSON.stringify(json, null, indent)
        const { value, duplicates } = decode(text)
        expect([jsonText(value), duplicates]).to.deep.equal([JSON.stringify(JSON.parse(text)), []])
      }),
    )
  })

  it('finds a duplicate exactly where an object repeats a key', () => {
    const member = fc.tuple(fc.constantFrom('a', 'b', 'c"', 'd:{'), fc.integer())
    fc.assert(
      fc.property(fc.array(member), (members) => {
        const text = members.map(([key, value]) => `${JSON.stringify(key)} : ${value}`).join()
        const keys = members.map(([key]) => key)
        const repeated = keys.filter((key, index) => keys.indexOf(key) < index)
        expect(decode(`{${text}}`).duplicates).to.have.members([...new Set(repeated)])
      }),
    )
  })
})
