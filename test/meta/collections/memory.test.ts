import { expect } from 'chai'
import { remembered } from '../../../apiserver/meta/collections/memory.ts'

describe('remembered', () => {
  it('computes once per string', () => {
    const asked: string[] = []
    const length = remembered((text) => asked.push(text) && text.length)
    expect(['a', 'bb', 'a', 'bb'].map(length)).to.deep.equal([1, 2, 1, 2])
    expect(asked).to.deep.equal(['a', 'bb'])
  })

  it('starts over when full, and caches no long strings', () => {
    let computed = 0
    const count = remembered(() => ++computed)
    const long = 'x'.repeat(1001)
    expect([count(long), count(long)]).to.deep.equal([1, 2])
    for (let i = 0; i < 500; i++) count(`text ${i}`)
    const before = computed
    expect(count('text 0')).to.equal(3)
    count('one more')
    expect(count('text 0')).to.equal(before + 2)
  })
})
