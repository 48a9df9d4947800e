import { expect } from 'chai'
import { threeWay } from '../../../syncer/engine/threeWay.ts'

describe('threeWay', () => {
  it('treats an inherited key such as constructor as absent', () => {
    const sides = { virtual: {}, host: { constructor: 'x' } }
    const rules = { copied: new Set<string>(), isSame: (a: unknown, b: unknown) => a === b }
    const news = { toHost: {}, toVirtual: { constructor: 'x' } }
    expect(threeWay(sides, undefined, rules)).to.deep.equal(news)
    expect(threeWay(sides, { virtual: {}, host: {} }, rules)).to.deep.equal(news)
  })
})
