import { expect } from 'chai'
import {
  parseBool,
  parseDuration,
  parseInteger,
  parseQuery,
} from '../../apiserver/encoding/queryValues.ts'
import { StatusError } from '../../apiserver/meta/status.ts'

describe('parseQuery (reference 1.15)', () => {
  const cases = [
    ['a=1&b=%41+b', 'a=1&b=A+b'],
    ['limit=1;watch=1&a=1', 'a=1'],
    ['limit=%zz&a=1', 'a=1'],
    ['a=%&b=%4&c=1', 'c=1'],
    ['a=%3B', 'a=%3B'],
  ] as const
  for (const [text, want] of cases) {
    it(`${text}: ${want}`, () => expect(parseQuery(text).toString()).to.equal(want))
  }
})

describe('parseBool (reference 1.15)', () => {
  const cases = [
    ['false', false],
    ['FALSE', false],
    ['0', false],
    ['', true],
    ['1', true],
    ['no', true],
    ['true', true],
  ] as const
  for (const [text, want] of cases) {
    it(`${JSON.stringify(text)}: ${want}`, () => expect(parseBool(text)).to.equal(want))
  }
})

describe('parseInteger (reference 1.15)', () => {
  for (const [text, want] of [
    ['0', 0],
    ['-1', -1],
    ['500', 500],
    ['+7', 7],
  ] as const) {
    it(`${text}: ${want}`, () => expect(parseInteger(text)).to.equal(want))
  }

  for (const [text, message] of [
    ['abc', 'strconv.ParseInt: parsing "abc": invalid syntax'],
    ['', 'strconv.ParseInt: parsing "": invalid syntax'],
    ['9223372036854775808', 'strconv.ParseInt: parsing "9223372036854775808": value out of range'],
  ] as const) {
    it(`refuses ${JSON.stringify(text)}: 400`, () => {
      expect(() => parseInteger(text))
        .to.throw(StatusError)
        .that.deep.include({ code: 400, message })
    })
  }
})

describe('parseDuration (reference 1.6)', () => {
  for (const [text, want] of [
    ['0', 0],
    ['0s', 0],
    ['5s', 5000],
    ['1m30s', 90_000],
    ['1.5h', 5_400_000],
    ['.5s', 500],
    ['5.s', 5000],
    ['-5s', -5000],
    ['+5s', 5000],
    ['250ms', 250],
    ['3us', 0.003],
    ['3µs', 0.003],
  ] as const) {
    it(`${text}: ${want} ms`, () => expect(parseDuration(text)).to.be.closeTo(want, 1e-9))
  }

  for (const [text, message] of [
    ['', 'time: invalid duration ""'],
    ['x', 'time: invalid duration "x"'],
    ['-', 'time: invalid duration "-"'],
    ['.s', 'time: invalid duration ".s"'],
    ['5', 'time: missing unit in duration "5"'],
    ['1h5', 'time: missing unit in duration "1h5"'],
    ['5x', 'time: unknown unit "x" in duration "5x"'],
    ['1d', 'time: unknown unit "d" in duration "1d"'],
    ['1constructor', 'time: unknown unit "constructor" in duration "1constructor"'],
    ['10000000h', 'time: invalid duration "10000000h"'],
  ] as const) {
    it(`refuses ${JSON.stringify(text)}: 400 ${message}`, () => {
      expect(() => parseDuration(text))
        .to.throw(StatusError)
        .that.deep.include({ code: 400, message })
    })
  }
})
