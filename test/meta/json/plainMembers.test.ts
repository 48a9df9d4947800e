import { expect } from 'chai'
import { shallowCopy } from '../../../apiserver/meta/json/plainMembers.ts'

describe('shallowCopy', () => {
  it('has the members in order, and shares their values', () => {
    const source = { b: { deep: 1 }, a: [2] }
    const copy = shallowCopy(source)
    expect(Object.entries(copy)).to.deep.equal(Object.entries(source))
    expect(copy.b).to.equal(source.b)
  })

  it('copies a member `__proto__` as a plain one (reference 1.14)', () => {
    const copy = shallowCopy(JSON.parse('{"__proto__":{"isAdmin":true},"a":1}') as object)
    expect(JSON.stringify(copy)).to.equal('{"__proto__":{"isAdmin":true},"a":1}')
    expect('isAdmin' in copy).to.equal(false)
  })
})
