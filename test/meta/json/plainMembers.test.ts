import { expect } from 'chai'
import { NumberLiteral } from '../../../apiserver/meta/json/numberLiteral.ts'
import { deepCopy, shallowCopy } from '../../../apiserver/meta/json/plainMembers.ts'

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

describe('deepCopy', () => {
  it('is equal to its source, in the order of members, and shares nothing with it', () => {
    const source = { b: { deep: [{ x: null }, 2n, 'text', false] }, a: [], e: {} }
    const copy = deepCopy(source)
    expect(Object.keys(copy)).to.deep.equal(['b', 'a', 'e'])
    expect(copy).to.deep.equal(source)
    expect(copy.b).to.not.equal(source.b)
    expect(copy.b.deep[0]).to.not.equal(source.b.deep[0])
    expect(copy.a).to.not.equal(source.a)
    expect(copy.e).to.not.equal(source.e)
  })

  it('copies a member `__proto__` at any depth as a plain one', () => {
    const text = '{"a":[{"__proto__":{"isAdmin":true}}],"__proto__":{"isAdmin":true}}'
    const copy = deepCopy(JSON.parse(text) as { a: [object] })
    expect(JSON.stringify(copy)).to.equal(text)
    expect('isAdmin' in copy || 'isAdmin' in copy.a[0]).to.equal(false)
  })

  it('keeps numbers that are as they were written', () => {
    const literal = new NumberLiteral('1.0')
    expect(deepCopy({ literal }).literal).to.equal(literal)
  })
})
