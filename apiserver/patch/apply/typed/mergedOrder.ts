export interface MergedItem {
  element: string
  /**
   * Index of the live item, unchanged; undefined: the item is from the configuration, merged with the live one of the
   * same element.
   */
  liveIndex: number | undefined
}

/**
 * The order of a merged list, from the elements of both: the configuration's items in their order, and the remaining
 * live ones near their neighbours.
 * Source: structured-merge-diff, merging of associative lists.
 */
export function mergedOrder(live: readonly string[], config: readonly string[]): MergedItem[] {
  const merger = new OrderMerger(live, config)
  return merger.merge()
}

class OrderMerger {
  readonly #live: readonly string[]
  readonly #config: readonly string[]
  readonly #isConfigured: ReadonlySet<string>
  /**
   * The common items, in the configuration's order; those from `#nextShared` on are not merged yet.
   */
  readonly #shared: readonly string[]
  readonly #taken = new Set<string>()
  readonly #result: MergedItem[] = []
  #nextLive = 0
  #nextConfig = 0
  #nextShared = 0

  constructor(live: readonly string[], config: readonly string[]) {
    this.#live = live
    this.#config = config
    this.#isConfigured = new Set(config)
    const isLive = new Set(live)
    this.#shared = config.filter((element) => isLive.has(element))
  }

  merge(): MergedItem[] {
    for (;;) {
      const live = this.#live[this.#nextLive]
      const config = this.#config[this.#nextConfig]
      if (live === undefined && config === undefined) return this.#result
      this.#step(live, config)
    }
  }

  #step(live: string | undefined, config: string | undefined): void {
    if (live !== undefined && !this.#isConfigured.has(live)) {
      this.#result.push({ element: live, liveIndex: this.#nextLive++ })
    } else if (live !== config && live !== undefined && config !== undefined && this.#waits(live)) {
      // A common item that is not next is added later.
      this.#nextLive++
    } else {
      if (live !== undefined && (live === config || this.#taken.has(live))) this.#nextLive++
      if (config !== undefined) this.#takeConfigured(config)
    }
  }

  /** Reports whether another common item has to be added before the element. */
  #waits(element: string): boolean {
    const awaited = this.#shared[this.#nextShared]
    return awaited !== undefined && awaited !== element
  }

  #takeConfigured(element: string): void {
    if (this.#shared[this.#nextShared] === element) this.#nextShared++
    this.#nextConfig++
    this.#taken.add(element)
    this.#result.push({ element, liveIndex: undefined })
  }
}
