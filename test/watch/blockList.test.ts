import { expect } from 'chai'
import fc from 'fast-check'
import { BlockList } from '../../apiserver/watch/blockList.ts'
import { Entry } from '../../apiserver/watch/cacheEntry.ts'
import type { OrderedBlocks } from '../../apiserver/watch/orderedBlocks.ts'

const entry = (key: string, revision = 1): Entry =>
  new Entry({ key, revision, value: Buffer.from(`${key}@${revision}`) })
const text = (entries: Iterable<Entry>): string[] =>
  [...entries].map(({ key, revision }) => `${key}@${revision}`)
const form = {
  join: (entries: readonly Entry[]): Buffer => Buffer.from(text(entries).join(',')),
  lengthOf: ({ key, revision }: Entry) => `${key}@${revision},`.length,
}
const keyOf = (index: number): string => `t/${String(index).padStart(4, '0')}`

describe('BlockList', () => {
  it('equals a sorted map under any sets and deletes', () => {
    const index = fc.integer({ min: 0, max: 999 })
    const step = fc.oneof(
      fc.record({ set: fc.constant(true), from: index, count: fc.integer({ min: 1, max: 300 }) }),
      fc.record({ set: fc.constant(false), from: index, count: fc.integer({ min: 1, max: 300 }) }),
    )
    const property = fc.property(fc.array(step, { maxLength: 12 }), index, index, (steps, a, b) => {
      const list = new BlockList()
      const model = new Map<string, Entry>()
      const snapshots: { snapshot: OrderedBlocks; then: string[] }[] = []
      const [from, to] = [keyOf(Math.min(a, b)), keyOf(Math.max(a, b))]
      const wanted = () =>
        [...model.values()]
          .filter(({ key }) => key >= from && key < to)
          .sort((x, y) => (x.key < y.key ? -1 : 1))
      steps.forEach(({ set, from: first, count }, revision) => {
        // Every third key, so that later steps insert between them.
        for (let at = first; at < first + count; at += 3) {
          const key = keyOf(at)
          if (set) model.set(key, entry(key, revision))
          else model.delete(key)
          if (set) list.set(entry(key, revision))
          else list.delete(key)
        }
        expect(list.size).to.equal(model.size)
        expect(text(list.range(from, to))).to.deep.equal(text(wanted()))
        expect(list.count(from, to)).to.equal(wanted().length)
        const joined = list.segments(from, to, form).map(String)
        expect(joined.join(',')).to.equal(text(wanted()).join(','))
        snapshots.push({ snapshot: list.snapshot(), then: text(wanted()) })
      })
      for (const { snapshot, then } of snapshots) {
        expect(text(snapshot.range(from, to))).to.deep.equal(then)
        expect([snapshot.count(from, to), snapshot.has(from, to)]).to.deep.equal([
          then.length,
          then.length > 0,
        ])
        expect(text(snapshot.first(from, to, 130))).to.deep.equal(then.slice(0, 130))
        const page = snapshot.pageSegments(from, to, form).map(String)
        expect(page.join(',')).to.equal(then.join(','))
        expect(snapshot.get(from)).to.equal([...snapshot.range(from, `${from}\0`)][0])
      }
      expect(list.get(from)?.revision).to.equal(model.get(from)?.revision)
    })
    fc.assert(property, { numRuns: 150 })
  })

  it('keeps a joined part of a block until it changes, for all readers', () => {
    const list = new BlockList()
    list.load(['a/1', 'a/2', 'b/1'].map((key) => entry(key)))
    const [first] = list.segments('a/', 'a0', form)
    expect(list.segments('a/', 'a0', form)[0]).to.equal(first)
    expect(list.segments('b/', 'b0', form).map(String)).to.deep.equal(['b/1@1'])
    list.set(entry('a/2', 2))
    expect(list.segments('a/', 'a0', form).map(String)).to.deep.equal(['a/1@1,a/2@2'])
  })

  it('cuts a page out of whole cached blocks, and caches nothing else', () => {
    const list = new BlockList()
    list.load(Array.from({ length: 300 }, (_, at) => entry(keyOf(at))))
    const page = () => list.snapshot().pageSegments(keyOf(3), keyOf(270), form)
    const [before, after] = [page(), page()]
    expect(after.map(String)).to.deep.equal(before.map(String))
    const isShared = after.map((segment, at) => segment.buffer === before[at]?.buffer)
    // 14 of the 44 in the last block: too few to join all for.
    expect(isShared.slice(0, 2)).to.deep.equal([true, true])
    expect(after[2]).to.not.equal(before[2])
    const whole = list.segments('t/', 't0', form)
    expect(page()[2]?.buffer).to.equal(whole[2]?.buffer)
    expect(page().map(String)).to.deep.equal(before.map(String))
  })

  it('loads in key order', () => {
    const list = new BlockList()
    const all = Array.from({ length: 500 }, (_, at) => entry(keyOf(at)))
    list.load(all)
    expect([text(list.range('t/', 't0')), list.size]).to.deep.equal([text(all), 500])
    list.load([])
    expect([text(list.range('t/', 't0')), list.size, list.get('t/')]).to.deep.equal([
      [],
      0,
      undefined,
    ])
  })

  it('keeps the segment of an unchanged block', () => {
    const list = new BlockList()
    list.load(Array.from({ length: 500 }, (_, at) => entry(keyOf(at))))
    const before = list.segments('t/', 't0', form)
    list.set(entry(keyOf(0), 2))
    const after = list.segments('t/', 't0', form)
    expect(after.map((segment, at) => segment === before[at])).to.deep.equal([
      false,
      true,
      true,
      true,
    ])
    expect(String(before[0])).to.match(/^t\/0000@1,/)
  })
})
