import { expect } from 'chai'
import { readMoment } from '../../apiserver/meta/moment.ts'

describe('readMoment', () => {
  const times = [
    ['1970-01-01T00:00:01Z', 1000],
    ['1970-01-01T01:00:00.5+01:00', 500],
    ['2024-02-29T00:00:00Z', Date.UTC(2024, 1, 29)],
  ] as const
  for (const [text, want] of times) {
    it(`${text}: ${want}`, () => expect(readMoment(text)).to.equal(want))
  }

  const none = [
    '',
    'yesterday',
    '2020-01-01',
    '2020-13-01T00:00:00Z',
    '2020-00-01T00:00:00Z',
    '2023-02-29T00:00:00Z',
    '2020-04-31T00:00:00Z',
    '2020-01-01T24:00:00Z',
    '2020-01-01T23:59:60Z',
    '2020-01-01T00:60:00Z',
    '2020-01-01t00:00:00z',
    '2020-01-01T00:00:00.Z',
    '2020-01-01T00:00:00+24:00',
  ]
  for (const text of none) {
    it(`refuses ${JSON.stringify(text)}`, () => expect(readMoment(text)).to.equal(undefined))
  }
})
