import { expect } from 'chai'
import { goJsonError } from '../../apiserver/encoding/goJsonError.ts'

const end = 'unexpected end of JSON input'
const value = 'looking for beginning of value'
const key = 'looking for beginning of object key string'

/** Body, as bytes, and Go's error about it. */
const cases: readonly [string, string | undefined][] = [
  ['', end],
  ['  ', end],
  ['{', end],
  ['{"a"', end],
  ['{"a":1,', end],
  ['[1,', end],
  ['"abc', end],
  ['x', `invalid character 'x' ${value}`],
  ['}', `invalid character '}' ${value}`],
  ['\xff', `invalid character 'ÿ' ${value}`],
  ['[1,]', `invalid character ']' ${value}`],
  ['.5', `invalid character '.' ${value}`],
  ['nul', "invalid character ' ' in literal null (expecting 'l')"],
  ['{"a":truf}', "invalid character 'f' in literal true (expecting 'e')"],
  ['{"a":1,}', `invalid character '}' ${key}`],
  ["{'a':1}", `invalid character '\\'' ${key}`],
  ['{"a" 1}', "invalid character '1' after object key"],
  ['{"a":1 "b"}', `invalid character '"' after object key:value pair`],
  ['[1 2]', "invalid character '2' after array element"],
  ['{} x', "invalid character 'x' after top-level value"],
  ['01', "invalid character '1' after top-level value"],
  ['"\x01"', "invalid character '\\x01' in string literal"],
  ['"a\nb"', "invalid character '\\n' in string literal"],
  ['"\\x"', "invalid character 'x' in string escape code"],
  ['"\\u12g4"', "invalid character 'g' in \\u hexadecimal character escape"],
  ['-', "invalid character ' ' in numeric literal"],
  ['1.x', "invalid character 'x' after decimal point in numeric literal"],
  ['1e+', "invalid character ' ' in exponent of numeric literal"],
  [' {"a": [1, -0.5e+3, "\\u00e9", {}, [], null, true]} ', undefined],
  ['['.repeat(5_000) + ']'.repeat(5_000), undefined],
]

/** Source: seen on kube-apiserver 1.37.2. */
describe('goJsonError', () => {
  for (const [text, want] of cases)
    it(`${JSON.stringify(text.slice(0, 40))}: ${want ?? 'is JSON'}`, () => {
      expect(goJsonError(Buffer.from(text, 'latin1'))).to.equal(want)
    })
})
