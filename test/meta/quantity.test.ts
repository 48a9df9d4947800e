import { expect } from 'chai'
import { compareQuantities, formatQuantity, parseQuantity } from '../../apiserver/meta/quantity.ts'

const canonical: [string, string][] = [
  ['0', '0'],
  ['0Gi', '0'],
  ['1', '1'],
  ['1000m', '1'],
  ['0.5', '500m'],
  ['.5', '500m'],
  ['1.', '1'],
  ['1.5Gi', '1536Mi'],
  ['1024Mi', '1Gi'],
  ['1000Ki', '1000Ki'],
  ['2.5Ki', '2560'],
  ['1023', '1023'],
  ['100k', '100k'],
  ['1000000', '1M'],
  ['12345.6789', '12345678900u'],
  ['1e3', '1e3'],
  ['1E3', '1e3'],
  ['1E', '1E'],
  ['100e-2', '1'],
  ['0.1n', '1n'],
  ['-1500m', '-1500m'],
  ['+2', '2'],
  ['9223372036854775808', '9223372036854775807'],
]

describe('quantities', () => {
  for (const [text, want] of canonical) {
    it(`${text} is written ${want}`, () => {
      const quantity = parseQuantity(text)
      expect(quantity && formatQuantity(quantity)).to.equal(want)
    })
  }

  for (const text of ['', 'a', '1x', '1.2.3', '1 Gi', '1KiB', '--1', '1e', 'Mi', '.']) {
    it(`${JSON.stringify(text)} is none`, () => {
      expect(parseQuantity(text)).to.equal(undefined)
    })
  }

  const compared: [string, string, number][] = [
    ['1', '1000m', 0],
    ['1Gi', '1G', 1],
    ['-1', '0', -1],
    ['1n', '0', 1],
  ]
  for (const [a, b, want] of compared) {
    it(`${a} against ${b}: ${want}`, () => {
      const [left, right] = [parseQuantity(a), parseQuantity(b)]
      expect(left && right && compareQuantities(left, right)).to.equal(want)
    })
  }
})
