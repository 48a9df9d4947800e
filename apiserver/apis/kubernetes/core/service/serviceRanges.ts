import type { ApiObject } from '../../../../meta/types.ts'
import { readyRanges } from '../../networking/serviceCidr.ts'
import { familyOf, type IpFamily } from './clusterIPRules.ts'

interface ServiceRange {
  range: string
  family: IpFamily
}

/** A cached object. */
interface Entry {
  object(): ApiObject
}

/** Ranges of ready ServiceCIDRs by cache entry, so that each version of an object is parsed once. */
const rangesOfEntries = new WeakMap<Entry, readonly ServiceRange[]>()

/**
 * Ranges of service addresses for one write, collected on first use, since most writes need none.
 */
export class FamilyRanges {
  readonly #configured: readonly string[]
  readonly #cidrs: { all(): Iterable<Entry> }
  #ranges: readonly ServiceRange[] | undefined

  /** `configured`: the plane's own ranges; `cidrs`: ServiceCIDR objects with further ranges. */
  constructor(configured: readonly string[], cidrs: { all(): Iterable<Entry> }) {
    this.#configured = configured
    this.#cidrs = cidrs
  }

  /** Ranges of a family: the configured range, then those of ready objects. */
  of(family: string): string[] {
    const ranges = (this.#ranges ??= this.#collect())
    return [...new Set(ranges.filter((one) => one.family === family).map(({ range }) => range))]
  }

  #collect(): ServiceRange[] {
    return [...this.#configured.map(withFamily), ...[...this.#cidrs.all()].flatMap(rangesOfEntry)]
  }
}

export function familyOfRange(range: string): IpFamily {
  return familyOf(range.replace(/\/.*/, ''))
}

function rangesOfEntry(entry: Entry): readonly ServiceRange[] {
  let ranges = rangesOfEntries.get(entry)
  if (ranges === undefined) {
    ranges = readyRanges(entry.object()).map(withFamily)
    rangesOfEntries.set(entry, ranges)
  }
  return ranges
}

function withFamily(range: string): ServiceRange {
  return { range, family: familyOfRange(range) }
}
