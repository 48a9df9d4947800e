import { expect } from 'chai'
import { integerProblem, parseInt64, parseUint64 } from '../../apiserver/meta/json/integers.ts'
import {
  compareResourceVersions,
  listResourceVersion,
  parseResourceVersion,
  readResourceVersion,
} from '../../apiserver/meta/resourceVersion.ts'
import { StatusError } from '../../apiserver/meta/status.ts'

describe('parseResourceVersion (reference 4.7)', () => {
  const cases = [
    ['', 0],
    ['0', 0],
    ['12345', 12345],
    ['007', 7],
    ['18446744073709551615', 2 ** 64],
    ['18446744073709551616', undefined],
    ['abc', undefined],
    ['-1', undefined],
    ['+1', undefined],
    ['1.5', undefined],
    [' 1', undefined],
  ] as const
  for (const [text, want] of cases) {
    it(`${JSON.stringify(text)}: ${want}`, () => {
      expect(parseResourceVersion(text)).to.equal(want)
    })
  }
})

describe('an invalid resourceVersion (reference 4.3)', () => {
  const problem =
    'resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax'

  it('is 400 in a list', () => {
    expect(() => listResourceVersion('abc'))
      .to.throw(StatusError)
      .that.deep.include({ code: 400, message: `invalid resource version: ${problem}` })
  })

  it('is 500 without a reason in a get or watch', () => {
    expect(() => readResourceVersion('abc'))
      .to.throw(StatusError)
      .that.deep.include({ code: 500, reason: '', message: problem })
  })
})

describe('compareResourceVersions (reference 4.7)', () => {
  const cases = [
    ['9', '10', -1],
    ['10', '9', 1],
    ['10', '10', 0],
    ['99999999999999999998', '99999999999999999999', -1],
  ] as const
  for (const [a, b, want] of cases) {
    it(`${a} compared with ${b}: ${want}`, () => {
      expect(Math.sign(compareResourceVersions(a, b))).to.equal(want)
    })
  }
})

describe('64-bit integers (reference 4.7)', () => {
  const cases = [
    ['0', 0n, 0n],
    ['-1', -1n, undefined],
    ['+1', 1n, undefined],
    ['9223372036854775807', 2n ** 63n - 1n, 2n ** 63n - 1n],
    ['9223372036854775808', undefined, 2n ** 63n],
    ['-9223372036854775808', -(2n ** 63n), undefined],
    ['', undefined, undefined],
    ['1_0', undefined, undefined],
    ['0x1', undefined, undefined],
  ] as const
  for (const [text, signed, unsigned] of cases) {
    it(`${JSON.stringify(text)}: ${signed}, ${unsigned}`, () => {
      expect([parseInt64(text), parseUint64(text)]).to.deep.equal([signed, unsigned])
    })
  }

  it("are refused in Go's words", () => {
    expect(integerProblem('ParseInt', 'abc')).to.equal(
      'strconv.ParseInt: parsing "abc": invalid syntax',
    )
    expect(integerProblem('ParseInt', '9223372036854775808')).to.equal(
      'strconv.ParseInt: parsing "9223372036854775808": value out of range',
    )
    expect(integerProblem('ParseUint', '-1')).to.equal(
      'strconv.ParseUint: parsing "-1": invalid syntax',
    )
  })
})
