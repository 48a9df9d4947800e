import type { Clock, Timer } from '../../meta/clock.ts'
import type { Change, ChangePage } from '../storage.ts'
import type { WatchCall } from './connection.ts'
import type { EtcdClient } from './etcdClient.ts'
import type { KeySpace } from './keySpace.ts'
import { toNumber, type Event, type WatchResponse } from './messages.ts'
import { keepsProgressInOrder } from './watchTrust.ts'

export interface WantedChanges {
  prefix: string
  since: number
  /** Last requested revision, above `since`. */
  until: number
  limit: number
}

/** Error if the requested changes were compacted, up to and including this revision. */
export interface PastCompacted {
  compacted: number
}

type Page = ChangePage | PastCompacted

/** Timeout of the status request. */
const statusMs = 5_000
/** Interval of progress requests: etcd does not respond to them while it still sends the past. */
const askAgainMs = 20
/** Size of a page; the change that exceeds it is the last one. */
const pageBytes = 1024 * 1024
const deletion = 1

/** Changes of the past, from a watch that starts there and ends once it has passed `until`. */
export class PastChanges {
  readonly #client: EtcdClient
  readonly #space: KeySpace
  readonly #clock: Clock

  constructor(client: EtcdClient, space: KeySpace, clock: Clock) {
    this.#client = client
    this.#space = space
    this.#clock = clock
  }

  /** Reads a page. @throws CallError; Error if the watch ended. */
  async read(wanted: WantedChanges): Promise<Page> {
    const { version } = await this.#client.status(statusMs)
    const isTrusted = keepsProgressInOrder(version)
    // The mark is not an object: only a watch of everything receives it.
    const range = isTrusted ? this.#space.range(wanted.prefix) : this.#space.all
    const used: { timer?: Timer; watch?: WatchCall } = {}
    try {
      return await new Promise<Page>((resolve, reject) => {
        const reading = new Reading(wanted, this.#space, isTrusted)
        const take = (response: WatchResponse, watch: WatchCall) => {
          try {
            const page = reading.take(response)
            if (page !== undefined) return resolve(page)
            if (!response.created) return
            if (isTrusted) this.#askForEnd(watch, used)
            else void this.#writeMark().catch(reject)
          } catch (error) {
            reject(error instanceof Error ? error : new Error(String(error)))
          }
        }
        const onResponse = (response: WatchResponse, watch: WatchCall) => {
          const kvs = response.events.flatMap(({ kv, prevKv }) => [kv, prevKv])
          const preparing = this.#space.prepare(kvs)
          if (preparing === undefined) return take(response, watch)
          // Events must be handled in order.
          watch.pause()
          void preparing.then(() => {
            take(response, watch)
            watch.resume()
          })
        }
        const startRevision = wanted.since + 1
        const begin = (watch: WatchCall) => {
          used.watch = watch
          watch.write({ createRequest: { ...range, startRevision, prevKv: true } })
        }
        void this.#client.openWatch({ onResponse, onEnd: reject }).then(begin).catch(reject)
      })
    } finally {
      used.timer?.cancel()
      used.watch?.cancel()
    }
  }

  /** Requests progress until the watch is cancelled. */
  #askForEnd(watch: WatchCall, used: { timer?: Timer }): void {
    watch.write({ progressRequest: {} })
    used.timer = this.#clock.setTimer(() => this.#askForEnd(watch, used), askAgainMs)
  }

  async #writeMark(): Promise<void> {
    const put = { requestPut: { key: this.#space.mark, value: Buffer.of() } }
    await this.#client.txn({ compare: [], success: [put], failure: [] })
  }
}

class Reading {
  readonly #wanted: WantedChanges
  readonly #space: KeySpace
  readonly #isTrusted: boolean
  readonly #changes: Change[] = []
  #bytes = 0

  constructor(wanted: WantedChanges, space: KeySpace, isTrusted: boolean) {
    this.#wanted = wanted
    this.#space = space
    this.#isTrusted = isTrusted
  }

  /** Returns the page, once it is complete. */
  take({ header, canceled, created, compactRevision, cancelReason, events }: WatchResponse) {
    if (canceled) {
      const compacted = toNumber(compactRevision)
      if (compacted > 0) return { compacted }
      throw new Error(`the watch was cancelled: ${cancelReason}`)
    }
    for (const event of events) {
      const page = this.#takeEvent(event)
      if (page !== undefined) return page
    }
    const isProgress = this.#isTrusted && !created && events.length === 0
    if (isProgress && toNumber(header.revision) >= this.#wanted.until) return this.#whole()
    return undefined
  }

  #takeEvent({ type, kv, prevKv }: Event): ChangePage | undefined {
    const { prefix, until, limit } = this.#wanted
    const revision = toNumber(kv.modRevision)
    if (revision > until) return this.#whole()
    const key = this.#space.objectKey(kv.key)
    if (key?.startsWith(prefix) !== true) return undefined
    const last = this.#changes.at(-1)
    // Changes of one transaction have one revision, and stay on one page.
    const isFull = this.#changes.length >= limit || this.#bytes >= pageBytes
    if (last !== undefined && isFull && last.revision !== revision) {
      return { changes: this.#changes, revision: last.revision, more: true }
    }
    const value = type === deletion ? undefined : this.#space.stored(key, kv).value
    const previous = prevKv ? this.#space.stored(key, prevKv) : undefined
    this.#add({ key, revision, value, previous })
    return undefined
  }

  #add(change: Change): void {
    const { value, previous } = change
    this.#changes.push(change)
    this.#bytes += (value?.length ?? 0) + (previous?.value.length ?? 0)
  }

  #whole(): ChangePage {
    return { changes: this.#changes, revision: this.#wanted.until, more: false }
  }
}
