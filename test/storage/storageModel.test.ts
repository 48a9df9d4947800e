import { expect } from 'chai'
import fc from 'fast-check'
import { StorageError } from '../../apiserver/storage/errors.ts'
import type { Change, Storage } from '../../apiserver/storage/storage.ts'
import { DiskFolder } from './level/diskFolder.ts'
import { NaiveStorage, type NaiveWrite } from './naiveStorage.ts'
import { refuses, show, showChange, template } from './values.ts'

const keys = ['/a', '/a/1', '/a/2', '/a/b/1', '/b/1', '/b/2', '/é/1', '/\uff5e', '/\u{1f600}/1']
const prefixes = ['', '/', '/a', '/a/', '/a/b/', '/b/', '/none/']

/**
 * Position in the existing revisions, as a fraction, because their number is known only when the
 * step runs.
 */
const place = fc.double({ min: 0, max: 1, noNaN: true })
const prefix = fc.constantFrom(...prefixes)
const write = fc.record<NaiveWrite>({
  key: fc.constantFrom(...keys),
  text: fc.option(fc.constantFrom('x', 'yy', 'ü', ''), { nil: undefined, freq: 3 }),
  stale: fc.integer({ min: 0, max: 5 }).map((dice) => dice === 0),
})
const range = fc.record({
  prefix,
  start: fc.constantFrom(undefined, ...keys),
  limit: fc.nat(4),
  place,
})

type Step =
  | { do: 'write'; writes: NaiveWrite[]; read: { prefix: string; place: number } }
  | { do: 'list'; prefix: string; start: string | undefined; limit: number; place: number }
  | { do: 'get'; key: string; place: number }
  | { do: 'changes'; prefix: string; place: number; limit: number }
  | { do: 'watch'; prefix: string; place: number }
  | { do: 'compact'; place: number }
  | { do: 'restart' }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('write' as const),
      writes: fc.array(write, { minLength: 1, maxLength: 12 }),
      read: fc.record({ prefix, place }),
    }),
  },
  { weight: 4, arbitrary: range.map((read) => ({ do: 'list' as const, ...read })) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('get' as const), key: fc.constantFrom(...keys), place }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('changes' as const),
      prefix,
      place,
      limit: fc.integer({ min: 1, max: 5 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('watch' as const), prefix, place }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('compact' as const), place }) },
  { weight: 1, arbitrary: fc.constant({ do: 'restart' as const }) },
)

/** Runs steps on a storage and on the naive one, and compares after each. */
class Comparison {
  readonly #open: () => Promise<Storage>
  readonly #model = new NaiveStorage()
  #storage: Storage
  #watches: { prefix: string; since: number; until?: number; seen: Change[] }[] = []

  constructor(open: () => Promise<Storage>, storage: Storage) {
    this.#open = open
    this.#storage = storage
  }

  async run(next: Step): Promise<void> {
    switch (next.do) {
      case 'write':
        return this.#write(next.writes, next.read)
      case 'list':
        return this.#list(next)
      case 'get':
        return this.#get(next.key, this.#revision(next.place))
      case 'changes':
        return this.#changes(next.prefix, this.#revision(next.place), next.limit)
      case 'watch':
        return this.#watch(next.prefix, this.#revision(next.place))
      case 'compact':
        return this.#compact(this.#revision(next.place))
      case 'restart':
        return this.#restart()
    }
  }

  async finish(): Promise<void> {
    const { revision, compacted } = this.#model
    const all = (await this.#storage.list({ prefix: '' })).items.map(show)
    expect(all).to.deep.equal(this.#model.list({ prefix: '' }, revision))
    expect([this.#storage.revision, this.#storage.compactedRevision]).to.deep.equal([
      revision,
      compacted,
    ])
    for (const { prefix, since, until, seen } of this.#watches) {
      const wanted = this.#model
        .after(prefix, since)
        .filter((change) => change.revision <= (until ?? revision))
      expect(seen.map(showChange)).to.deep.equal(wanted.map(showChange))
    }
    await this.#storage.close()
  }

  #revision(where: number): number {
    return Math.round(where * this.#model.revision)
  }

  /** All in one turn, during a read at an older revision. */
  async #write(writes: NaiveWrite[], read: { prefix: string; place: number }): Promise<void> {
    const revision = this.#revision(read.place)
    const readable = revision >= this.#model.compacted
    const reading = readable ? this.#storage.list({ prefix: read.prefix }, { revision }) : undefined
    const wanted = this.#model.list({ prefix: read.prefix }, revision)
    const ends = writes.map((one) => this.#writeOne(one))
    expect((await reading)?.items.map(show) ?? wanted).to.deep.equal(wanted)
    expect(await Promise.all(ends)).to.deep.equal(writes.map((one) => this.#model.write(one)))
  }

  async #writeOne({ key, text, stale }: NaiveWrite): Promise<number | string> {
    const standing = this.#storage.newest(key)
    const expected = (standing?.revision ?? 1) - (stale ? 1 : 0)
    try {
      if (text === undefined) return await this.#storage.delete(key, expected)
      const value = template(text)
      const written =
        standing === undefined
          ? this.#storage.create(key, value)
          : this.#storage.update(key, value, expected)
      return (await written).revision
    } catch (error) {
      if (error instanceof StorageError) return error.code
      throw error
    }
  }

  async #list(read: {
    prefix: string
    start: string | undefined
    limit: number
    place: number
  }): Promise<void> {
    const revision = this.#revision(read.place)
    const range = {
      prefix: read.prefix,
      ...(read.start === undefined ? {} : { start: read.start }),
    }
    const call = (): ReturnType<Storage['list']> =>
      this.#storage.list(range, { revision, limit: read.limit })
    if (revision < this.#model.compacted) return void (await refuses(call, 'Compacted'))
    const wanted = this.#model.list(range, revision)
    const items = read.limit === 0 ? wanted : wanted.slice(0, read.limit)
    const list = await call()
    const shown = { items: list.items.map(show), more: list.more, revision: list.revision }
    expect(shown).to.deep.equal({ items, more: items.length < wanted.length, revision })
  }

  async #get(key: string, revision: number): Promise<void> {
    const call = (): ReturnType<Storage['get']> => this.#storage.get(key, { revision })
    if (revision < this.#model.compacted) return void (await refuses(call, 'Compacted'))
    expect(show(await call())).to.equal(this.#model.at(revision).get(key) ?? 'nothing')
  }

  async #changes(prefix: string, since: number, limit: number): Promise<void> {
    const call = (): ReturnType<Storage['changes']> => this.#storage.changes(prefix, since, limit)
    if (since < this.#model.compacted) return void (await refuses(call, 'Compacted'))
    const wanted = this.#model.after(prefix, since)
    const page = await call()
    expect(page.changes.map(showChange)).to.deep.equal(wanted.slice(0, limit).map(showChange))
    expect(page.more).to.equal(wanted.length > limit)
    const reached = page.more ? wanted[limit - 1]?.revision : this.#model.revision
    expect(page.revision).to.equal(reached)
  }

  async #watch(prefix: string, since: number): Promise<void> {
    const seen: Change[] = []
    const call = (): ReturnType<Storage['watch']> =>
      this.#storage.watch(prefix, since, (changes) => void seen.push(...changes))
    if (since < this.#model.compacted) return void (await refuses(call, 'Compacted'))
    await call()
    this.#watches.push({ prefix, since, seen })
  }

  async #compact(revision: number): Promise<void> {
    await this.#storage.compact(revision)
    this.#model.compacted = Math.max(this.#model.compacted, revision)
  }

  async #restart(): Promise<void> {
    await this.#storage.close()
    for (const watch of this.#watches) watch.until ??= this.#model.revision
    this.#storage = await this.#open()
  }
}

describe('Storage compared with a naive model (reference 10.5)', () => {
  it('behaves the same under random writes, reads, watches, compactions and restarts', async () => {
    const property = fc.asyncProperty(
      fc.array(step, { minLength: 5, maxLength: 40 }),
      async (steps) => {
        const folder = await DiskFolder.make()
        try {
          const comparison = new Comparison(() => folder.open(), await folder.open())
          for (const next of steps) await comparison.run(next)
          await comparison.finish()
        } finally {
          await folder.remove()
        }
      },
    )
    await fc.assert(property, { numRuns: 60, interruptAfterTimeLimit: 5000, endOnFailure: true })
  }).timeout(20_000)
})
