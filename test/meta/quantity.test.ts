import { expect } from 'chai'
import { compareQuantities, parseQuantity, quantityText } from '../../apiserver/meta/quantity.ts'

/** Sent, stored, and stored as a resource. Source: seen on kube-apiserver 1.37.2. */
const stored: [sent: string, stored: string, asResource?: string][] = [
  ['1.', '1.'],
  ['.5', '500m'],
  ['+1', '+1'],
  ['+0', '0'],
  ['0010', '0010'],
  ['1.5', '1500m'],
  ['1.500', '1.500'],
  ['1.5005', '1500500u', '1501m'],
  ['1500u', '1500u', '2m'],
  ['0.0001', '100u', '1m'],
  ['1e3', '1e3'],
  ['1E3', '1E3'],
  ['10e3', '10e3'],
  ['1e4', '10e3'],
  ['1e1', '10'],
  ['1e-1', '100e-3'],
  ['100e-2', '1'],
  ['1000', '1k'],
  ['1000m', '1'],
  ['1500m', '1500m'],
  ['10E', '10E'],
  ['1e19', '10e18'],
  ['9223372036854775808', '9223372036854775808'],
  ['9223372036854775807', '9223372036854775807'],
  ['1e22', '10e21'],
  ['1e400', '10e399'],
  ['+1Ki', '+1Ki'],
  ['0010Ki', '0010Ki'],
  ['8Ki', '8Ki'],
  ['7Ki', '7Ki'],
  ['1024', '1024'],
  ['1024Ki', '1Mi'],
  ['1000Ki', '1000Ki'],
  ['1.5Ki', '1536'],
  ['0.5Ki', '512'],
  ['9Pi', '9Pi'],
  ['7Ei', '7Ei'],
  ['8Ei', '9223372036854775807'],
  ['100Ei', '9223372036854775807'],
  ['0Gi', '0'],
  ['0.1n', '1n', '1m'],
  ['1n', '1n', '1m'],
  ['123456789012345678', '123456789012345678'],
  ['1234567890123456789', '1234567890123456789'],
  ['12345.6789', '12345678900u', '12345679m'],
  ['1.000', '1'],
  ['1000000', '1M'],
  ['100k', '100k'],
  ['1.1Mi', '1153433600m'],
  ['15Ti', '15Ti'],
  ['99Ti', '99Ti'],
  ['3.5E', '3500P'],
  ['9.3E', '9300P'],
  ['20E', '20E'],
  ['1001m', '1001m'],
  ['2000u', '2m'],
  ['-1500m', '-1500m'],
  ['-1500u', '-1500u', '-2m'],
  ['-0', '0'],
]

describe('quantities', () => {
  for (const [text, want, asResource = want] of stored) {
    it(`${text} is stored as ${want}, and as ${asResource} among resources`, () => {
      expect([quantityText(text), quantityText(text, true)]).to.deep.equal([want, asResource])
    })
  }

  for (const text of ['', 'a', '1x', '1.2.3', '1 Gi', '1KiB', '--1', '1e', 'Mi', '.']) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      expect(parseQuantity(text)).to.equal(undefined)
    })
  }

  const compared: [string, string, number][] = [
    ['1', '1000m', 0],
    ['1Gi', '1G', 1],
    ['1n', '0', 1],
  ]
  for (const [a, b, want] of compared) {
    it(`${a} compared with ${b}: ${want}`, () => {
      const [left, right] = [parseQuantity(a), parseQuantity(b)]
      expect(left && right && compareQuantities(left, right)).to.equal(want)
    })
  }
})
