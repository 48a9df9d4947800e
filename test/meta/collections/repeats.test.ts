import { expect } from 'chai'
import { repeats } from '../../../apiserver/meta/collections/repeats.ts'

describe('repeats', () => {
  it('says of each value whether it came before', () => {
    expect(repeats(['a', 'b', 'a', '', 'a', ''])).to.deep.equal([
      ...[false, false, true, false, true, true],
    ])
  })
})
