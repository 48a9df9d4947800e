import { expect } from 'chai'
import { repeats } from '../../../apiserver/meta/collections/repeats.ts'

describe('repeats', () => {
  it('tells for each value whether it occurred before', () => {
    expect(repeats(['a', 'b', 'a', '', 'a', ''])).to.deep.equal([
      ...[false, false, true, false, true, true],
    ])
  })
})
