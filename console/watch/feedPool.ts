import { Feed, type FeedOptions } from './feed.ts'
import { shareFeed } from './sharedFeed.ts'
import { realSurroundings, type Surroundings } from './surroundings.ts'
import type { Tabs } from './tabs.ts'

/** Time for which an unused feed keeps running, so that a user who returns finds it live. */
const lingerMs = 10_000

interface Shared {
  // Users know the shape from the key.
  feed: Feed<unknown>
  users: number
  end: () => void
  cancelEnd: (() => void) | undefined
}

/** Shared feeds: one watch for each collection, shape and selection. */
export class FeedPool {
  readonly #around: Surroundings
  readonly #tabs: Tabs | undefined
  readonly #feeds = new Map<string, Shared>()

  /** @param tabs tabs that share the feeds; undefined: each tab has its own. */
  constructor(surroundings: Surroundings = realSurroundings, tabs?: Tabs) {
    this.#around = surroundings
    this.#tabs = tabs
  }

  /** Acquires the feed with these options, which runs until all users have released it. */
  take<Item>(options: FeedOptions<Item>): { feed: Feed<Item>; release: () => void } {
    const { path, query = {}, shape } = options
    const key = JSON.stringify([path, Object.entries(query).sort(), shape.accept])
    const shared = this.#feeds.get(key) ?? this.#add(key, options)
    shared.users++
    shared.cancelEnd?.()
    shared.cancelEnd = undefined
    let isTaken = true
    const release = () => {
      if (isTaken && --shared.users === 0)
        shared.cancelEnd = this.#around.after(lingerMs, () => this.#end(key, shared))
      isTaken = false
    }
    return { feed: shared.feed as Feed<Item>, release }
  }

  /** Number of open feeds. */
  get size(): number {
    return this.#feeds.size
  }

  retryNow(): void {
    for (const { feed } of this.#feeds.values()) feed.retryNow()
  }

  /** Stops every feed at the end of the session. */
  clear(): void {
    for (const [key, shared] of this.#feeds) this.#end(key, shared)
  }

  #add<Item>(key: string, options: FeedOptions<Item>): Shared {
    const feed = new Feed({ ...options, surroundings: this.#around })
    const shared: Shared = {
      feed,
      users: 0,
      end: () => feed.stop(),
      cancelEnd: undefined,
    }
    this.#feeds.set(key, shared)
    if (this.#tabs === undefined) feed.start()
    else shared.end = shareFeed(feed, key, this.#tabs)
    return shared
  }

  #end(key: string, { feed, end, cancelEnd }: Shared): void {
    cancelEnd?.()
    end()
    if (this.#feeds.get(key)?.feed === feed) this.#feeds.delete(key)
  }
}
