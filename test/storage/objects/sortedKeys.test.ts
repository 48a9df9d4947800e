import { expect } from 'chai'
import fc from 'fast-check'
import { SortedKeys } from '../../../apiserver/storage/objects/sortedKeys.ts'

function keysFrom(keys: SortedKeys, start: string): string[] {
  const found: string[] = []
  keys.walk(start, (key) => found.push(key) > 0)
  return found
}

function sorted(keys: Iterable<string>): string[] {
  return [...keys].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
}

describe('SortedKeys', () => {
  const key = fc.oneof(
    fc.integer({ min: 0, max: 5000 }).map((number) => `/k/${number}`),
    fc.string({ unit: 'binary', maxLength: 4 }),
  )
  it('keeps any keys in byte order of UTF-8, through inserts and deletions', () => {
    const property = fc.property(
      fc.uniqueArray(key, { minLength: 0, maxLength: 1500, size: 'max' }),
      fc.array(fc.nat(), { maxLength: 1500, size: 'max' }),
      key,
      (inserted, deleted, start) => {
        const keys = new SortedKeys()
        const model = new Set<string>()
        const add = (one: string): void => {
          keys.insert(one)
          model.add(one)
        }
        inserted.forEach(add)
        for (const index of deleted) {
          const doomed = inserted[index % (inserted.length + 1)] ?? 'absent'
          keys.delete(doomed)
          model.delete(doomed)
        }
        inserted.filter((one, i) => i % 3 === 0 && !model.has(one)).forEach(add)
        const bytes = Buffer.from(start)
        const wanted = sorted(model)
        expect(keysFrom(keys, '')).to.deep.equal(wanted)
        expect(keysFrom(keys, start)).to.deep.equal(
          wanted.filter((one) => Buffer.compare(Buffer.from(one), bytes) >= 0),
        )
      },
    )
    fc.assert(property, { numRuns: 60, interruptAfterTimeLimit: 3000 })
  })
  it('ends a walk when the visitor asks for it', () => {
    const keys = new SortedKeys()
    for (let i = 0; i < 1000; i++) keys.insert(String(i).padStart(4, '0'))
    const seen: string[] = []
    keys.walk('0500', (one) => seen.push(one) < 3)
    expect(seen).to.deep.equal(['0500', '0501', '0502'])
  })
})
