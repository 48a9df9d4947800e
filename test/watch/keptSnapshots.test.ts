import { expect } from 'chai'
import { BlockList } from '../../apiserver/watch/blockList.ts'
import { Entry } from '../../apiserver/watch/cacheEntry.ts'
import { KeptSnapshots } from '../../apiserver/watch/keptSnapshots.ts'

const entry = (bytes: number) => new Entry({ key: 'a', revision: 1, value: Buffer.alloc(bytes) })
const snapshot = () => new BlockList().snapshot()

describe('KeptSnapshots', () => {
  let kept: KeptSnapshots

  beforeEach(() => {
    kept = new KeptSnapshots({ maxSnapshots: 3, maxBytes: 100, maxAgeMs: 1000 })
  })

  const keep = (revision: number, nowMs = 0, since = revision) => {
    const made = snapshot()
    kept.keep(made, { since, revision, nowMs })
    return made
  }

  it('returns the state at each revision up to the next change', () => {
    const first = keep(7, 0, 5)
    const second = keep(9, 0, 9)
    const found = [4, 5, 6, 7, 8, 9, 10].map((revision) => kept.at(revision, 0))
    const nothing = undefined
    expect(found).to.deep.equal([nothing, first, first, first, nothing, second, nothing])
  })

  it('keeps one snapshot per state', () => {
    const first = keep(7, 0, 5)
    keep(8, 0, 5)
    expect([kept.size, kept.at(8, 0)]).to.deep.equal([1, first])
  })

  it('keeps a number of the newest snapshots', () => {
    for (const revision of [1, 2, 3, 4]) keep(revision)
    expect([kept.size, kept.at(1, 0)]).to.deep.equal([3, undefined])
  })

  it('drops the oldest if they alone keep too many bytes', () => {
    keep(1)
    kept.replaced(entry(60))
    keep(2)
    kept.replaced(entry(40))
    expect(kept.size).to.equal(2)
    kept.replaced(entry(1))
    expect([kept.size, kept.at(1, 0)]).to.deep.equal([1, undefined])
    kept.replaced(entry(60))
    expect(kept.size).to.equal(0)
    // Nothing is counted without a reader.
    kept.replaced(entry(1000))
    keep(3)
    kept.replaced(entry(100))
    expect(kept.size).to.equal(1)
  })

  it('drops snapshots unused for a while, and compacted ones', () => {
    keep(1, 0)
    keep(2, 500)
    keep(3, 500)
    kept.tidy(1000, 0)
    expect([1, 2, 3].map((revision) => kept.at(revision, 1400) !== undefined)).to.deep.equal([
      false,
      true,
      true,
    ])
    kept.tidy(2000, 3)
    expect(kept.size).to.equal(1)
    kept.tidy(2400, 3)
    expect(kept.size).to.equal(0)
  })
})
