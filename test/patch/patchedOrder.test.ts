import { expect } from 'chai'
import { inMergeOrder, inOperationOrder } from '../../apiserver/patch/patchedOrder.ts'

describe('order of the members of a patch result', () => {
  const result = { z: { y: 1, b: 2 }, spec: { template: { y: 1, c: 2 }, a: { q: 1, d: 2 } }, b: 1 }

  it('is sorted in every object that a merge patch reaches, and in added values', () => {
    const ordered = inMergeOrder(result, { spec: { a: { q: 1, d: 2 } } })
    expect(JSON.stringify(ordered)).to.equal(
      '{"b":1,"spec":{"a":{"d":2,"q":1},"template":{"y":1,"c":2}},"z":{"y":1,"b":2}}',
    )
    const added = inMergeOrder({ list: [{ z: 1, a: 2 }] }, { list: [{ z: 1, a: 2 }] })
    expect(JSON.stringify(added)).to.equal('{"list":[{"a":2,"z":1}]}')
  })

  it('is sorted in every object on the way of a JSON patch operation', () => {
    const ordered = inOperationOrder(result, [{ op: 'add', path: '/spec/a/q', value: 1 }])
    expect(JSON.stringify(ordered)).to.equal(
      '{"b":1,"spec":{"a":{"d":2,"q":1},"template":{"y":1,"c":2}},"z":{"y":1,"b":2}}',
    )
    const items = inOperationOrder({ l: [{ z: { y: 1, a: 1 }, a: 1 }] }, [
      { op: 'copy', from: '/l/0/a', path: '/l/-' },
    ])
    expect(JSON.stringify(items)).to.equal('{"l":[{"a":1,"z":{"y":1,"a":1}}]}')
  })

  it('takes little time for many operations on many members', () => {
    const many = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, at) => [`k${at}`, { v: at }]),
    )
    const operations = Object.keys(many).map((name) => ({ op: 'remove', path: `/${name}/v` }))
    const start = performance.now()
    inOperationOrder(many, operations)
    expect(performance.now() - start).to.be.lessThan(1_000)
  })
})
