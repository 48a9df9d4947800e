import { expect } from 'chai'
import { jsonText, parseExact } from '../../../apiserver/meta/json/exactJson.ts'

describe('exact JSON', () => {
  const values: readonly [text: string, value: unknown][] = [
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', 9007199254740992n],
    ['-9007199254740993', -9007199254740993n],
    ['9223372036854775807', 2n ** 63n - 1n],
    ['-9223372036854775808', -(2n ** 63n)],
    ['9223372036854775808', 2 ** 63],
    ['9007199254740993.5', 9007199254740994],
    ['9007199254740993e1', 90071992547409930],
    ['"9007199254740993"', '9007199254740993'],
    ['"\\"9007199254740993"', '"9007199254740993'],
    ['{"9007199254740993":[9007199254740993]}', { '9007199254740993': [9007199254740993n] }],
    [
      String.raw`[9007199254740993,"\\ud8009007199254740993"]`,
      [9007199254740993n, String.raw`\ud8009007199254740993`],
    ],
  ]

  for (const [text, value] of values) {
    it(`reads ${text}`, () => {
      expect(parseExact(text)).to.deep.equal(value)
    })
  }

  it('writes what it reads', () => {
    const exact = values.filter(([, value]) => typeof value !== 'number')
    for (const [text] of exact) expect(jsonText(parseExact(text))).to.equal(text)
    expect(jsonText({ a: 2n ** 60n, b: undefined }, 1)).to.equal(`{\n "a": ${2n ** 60n}\n}`)
  })

  it('refuses invalid JSON, even where a marked string would be valid', () => {
    for (const text of [
      '{9007199254740993:1}',
      '[09007199254740993]',
      '[1-9007199254740993]',
      '[9007199254740993',
    ])
      expect(() => parseExact(text), text).to.throw(SyntaxError)
  })

  it('does not overflow its stack for deep values', () => {
    const text = `${'['.repeat(5000)}9007199254740993${']'.repeat(5000)}`
    let value = parseExact(text)
    while (Array.isArray(value)) value = value[0] as unknown
    expect(value).to.equal(9007199254740993n)
  })

  it('refuses other values without a JSON form', () => {
    const circle: unknown[] = []
    circle.push(circle)
    expect(() => jsonText(circle)).to.throw(TypeError)
  })
})
