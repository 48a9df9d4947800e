import { expect } from 'chai'
import { Entry } from '../../apiserver/watch/cacheEntry.ts'
import { CacheEvent, EventRing } from '../../apiserver/watch/eventRing.ts'

function event(revision: number, bytes = 10): CacheEvent {
  const entry = new Entry({ key: 'k', revision, value: Buffer.alloc(bytes) })
  return new CacheEvent({ key: 'k', revision, entry, previous: undefined })
}

function ring(limits: { maxEvents?: number; maxBytes?: number }, revisions: number[]): EventRing {
  const made = new EventRing(10, { maxEvents: 100, maxBytes: 10_000, ...limits })
  for (const revision of revisions) made.append(event(revision))
  return made
}

describe('EventRing', () => {
  it('an empty ring reaches back to its floor (reference 5.9)', () => {
    const { floor, start, end } = ring({}, [])
    expect([floor, start, end]).to.deep.equal([10, 0, 0])
    expect([9, 10, 11].map((at) => ring({}, []).positionAfter(at))).to.deep.equal([undefined, 0, 0])
  })

  it('finds the first event after any revision (reference 5.9)', () => {
    const found = [10, 11, 12, 13, 14, 15, 20].map((at) => ring({}, [12, 14, 15]).positionAfter(at))
    expect(found).to.deep.equal([0, 0, 1, 1, 2, 3, 3])
  })

  const limits = [
    { name: 'a count', limit: { maxEvents: 3 } },
    { name: 'bytes', limit: { maxBytes: 35 } },
  ]
  for (const { name, limit } of limits) {
    it(`drops the oldest beyond ${name}; the floor is the last dropped one (reference 5.9)`, () => {
      const full = ring(limit, [11, 12, 13, 14, 15])
      expect([full.floor, full.end - full.start]).to.deep.equal([12, 3])
      expect(full.positionAfter(11)).to.equal(undefined)
      const first = full.positionAfter(12) ?? -1
      expect([first, full.at(first)?.revision]).to.deep.equal([full.start, 13])
    })
  }

  it('covers idle periods until events are dropped (reference 5.9)', () => {
    const quiet = ring({ maxEvents: 2 }, [12])
    quiet.reachBackTo(5)
    quiet.reachBackTo(8)
    expect([4, 5, 11, 12].map((at) => quiet.positionAfter(at))).to.deep.equal([undefined, 0, 0, 1])
    for (const revision of [13, 14]) quiet.append(event(revision))
    expect([quiet.floor, quiet.positionAfter(5)]).to.deep.equal([12, undefined])
  })

  it('drops events older than history, except the newest hundred (reference 5.9)', () => {
    const revisions = Array.from({ length: 300 }, (_, at) => 11 + at)
    const aged = ring({ maxEvents: 100_000, maxBytes: 1_000_000 }, revisions)
    aged.dropThrough(10)
    expect([aged.floor, aged.end - aged.start]).to.deep.equal([10, 300])
    aged.dropThrough(110)
    expect([aged.floor, aged.end - aged.start]).to.deep.equal([110, 200])
    expect(aged.at(aged.positionAfter(110) ?? -1)?.revision).to.equal(111)
    aged.dropThrough(310)
    expect([aged.floor, aged.end - aged.start]).to.deep.equal([210, 100])
  })

  it('keeps the newest event of any size', () => {
    const large = ring({ maxBytes: 5 }, [11])
    large.append(event(12, 1_000))
    expect([large.floor, large.end - large.start, large.at(large.start)?.revision]).to.deep.equal([
      11, 1, 12,
    ])
  })

  it('never repeats a position over many thousand events', () => {
    const long = ring({ maxEvents: 1_500, maxBytes: 1_000_000 }, [])
    for (let revision = 11; revision <= 20_010; revision++) {
      expect(long.end).to.equal(revision - 11)
      long.append(event(revision))
    }
    expect([long.start, long.end, long.floor]).to.deep.equal([18_500, 20_000, 18_510])
    for (let at = long.start; at < long.end; at += 7) {
      expect(long.at(at)?.revision).to.equal(at + 11)
      expect(long.positionAfter(at + 10)).to.equal(at)
    }
  })
})

describe('CacheEvent', () => {
  const bytes = (revision: number, size: number) =>
    Buffer.from(
      `{"kind":"K","apiVersion":"v1","metadata":{"name":"a","resourceVersion":"${revision}"},"size":${size}}\n`,
    )
  const previous = new Entry({ key: 'k', revision: 9, value: bytes(9, 1) })
  const entry = new Entry({ key: 'k', revision: 10, value: bytes(10, 2) })

  it('has the new object, and for DELETED the old one at the revision of the event (reference 5.5)', () => {
    const update = new CacheEvent({ key: 'k', revision: 10, entry, previous })
    const frames = (['ADDED', 'MODIFIED', 'DELETED'] as const).map((type) =>
      update.jsonFrame(type).toString(),
    )
    const object = (size: number) =>
      `{"kind":"K","apiVersion":"v1","metadata":{"name":"a","resourceVersion":"10"},"size":${size}}`
    expect(frames).to.deep.equal([
      `{"type":"ADDED","object":${object(2)}}\n`,
      `{"type":"MODIFIED","object":${object(2)}}\n`,
      `{"type":"DELETED","object":${object(1)}}\n`,
    ])
  })
  it('encodes a frame once', () => {
    const update = new CacheEvent({ key: 'k', revision: 10, entry, previous })
    expect(update.jsonFrame('MODIFIED')).to.equal(update.jsonFrame('MODIFIED'))
  })
})
