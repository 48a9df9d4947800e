import { expect } from 'chai'
import { Histogram } from '../../../apiserver/meta/collections/histogram.ts'

describe('Histogram', () => {
  it('counts a value in the first bucket whose bound is not below it', () => {
    const histogram = new Histogram([1, 10])
    for (const value of [0, 1, 1.5, 10, 11]) histogram.add(value)
    expect([histogram.counts, histogram.sum, histogram.total]).to.deep.equal([[2, 2, 1], 23.5, 5])
  })

  it('adds the counts of another', () => {
    const [one, two] = [new Histogram([1]), new Histogram([1])]
    one.add(1)
    two.add(2)
    one.merge(two)
    expect([one.counts, one.sum]).to.deep.equal([[1, 1], 3])
  })
})
