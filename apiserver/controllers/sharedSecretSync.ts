import type { Clock, Timer } from '../meta/clock.ts'
import { hasReason } from '../meta/status.ts'
import type { ApiObject } from '../meta/types.ts'
import { ignoreNotFound } from '../registry/ignoring.ts'
import type { Store } from '../registry/store.ts'
import type { ObjectName } from '../registry/storeTypes.ts'
import { systemContext } from '../registry/systemContext.ts'
import { SharedSecretIndex } from './sharedSecretIndex.ts'
import type { ConsumerKind, ConsumerOutcome } from './consumerKind.ts'
import { WorkQueue } from '../runtime/workQueue.ts'

/**
 * Interval in milliseconds at which objects without access are checked again, since there are no
 * notifications about changed rights.
 */
const recheckMs = 60_000
const concurrency = 8

export interface SharedSecretSyncOptions {
  sharedSecrets: Store
  /** Kinds whose objects copy shared secrets. */
  kinds: readonly ConsumerKind[]
  clock: Clock
  /** Called with errors that will be retried. */
  report: (error: unknown) => void
}

/**
 * Copies the data of shared secrets into the objects whose labels reference them, and follows
 * changes and deletions of both. Resumes after a restart. Unchanged objects are not written, so it
 * cannot trigger itself.
 */
export class SharedSecretSync {
  readonly #options: SharedSecretSyncOptions
  readonly #queue: WorkQueue
  readonly #index = new SharedSecretIndex()
  /** Keys of objects without access to their shared secret. */
  readonly #unready = new Set<string>()
  #recheck: Timer | undefined
  #isStopped = false
  readonly #stopFollowing: (() => void)[] = []

  constructor(options: SharedSecretSyncOptions) {
    this.#options = options
    const { clock, report } = options
    this.#queue = new WorkQueue({ clock, report, concurrency, work: (key) => this.#sync(key) })
  }

  async start(): Promise<void> {
    const { sharedSecrets, kinds } = this.#options
    await Promise.all([sharedSecrets, ...kinds.map(({ store }) => store)].map(warm))
    const prefix = sharedSecrets.keyPrefix.length
    this.#stopFollowing.push(
      sharedSecrets.cache.onChange(({ key }) => {
        for (const taker of this.#index.takersOf(key.slice(prefix))) this.#queue.add(taker)
      }),
    )
    for (const kind of kinds) this.#follow(kind)
  }

  stop(): void {
    this.#isStopped = true
    for (const stopFollowing of this.#stopFollowing) stopFollowing()
    this.#queue.stop()
    this.#recheck?.cancel()
  }

  #follow(kind: ConsumerKind): void {
    const { cache } = kind.store
    const consider = (key: string, entry: ReturnType<typeof cache.get>): void => {
      // Most objects have no reference and need not be decoded.
      const object = entry?.bytes.includes(kind.word) === true ? entry.object() : undefined
      if (this.#index.set(key, kind, object)) this.#queue.add(key)
      else this.#unready.delete(key)
    }
    this.#stopFollowing.push(cache.onChange(({ key, entry }) => consider(key, entry)))
    for (const entry of cache.all()) consider(entry.key, entry)
  }

  async #sync(key: string): Promise<void> {
    const taker = this.#index.get(key)
    const object = taker?.kind.store.cache.get(key)?.object()
    if (taker === undefined || object === undefined) return
    const { kind, source } = taker
    const isAllowed = await kind.isAllowed(object)
    const sharedSecret = this.#options.sharedSecrets.cache.get(
      this.#options.sharedSecrets.keyPrefix + source,
    )
    const outcome = kind.outcome(object, { isAllowed, sharedSecret: sharedSecret?.object() })
    const isReady = await this.#write(kind, nameOf(object), outcome)
    if (isReady) this.#unready.delete(key)
    else this.#lookAgain(key)
  }

  /** Writes an outcome; returns whether the object has the data. */
  async #write(kind: ConsumerKind, target: ObjectName, outcome: ConsumerOutcome): Promise<boolean> {
    const update = (decided: ConsumerOutcome): Promise<unknown> => {
      const now = this.#options.clock.now()
      const transform = (old: ApiObject): ApiObject => kind.applied(old, decided, now)
      const request = { transform, strategy: kind.strategy }
      return kind.store.update(target, request, systemContext()).catch(ignoreNotFound)
    }
    try {
      await update(outcome)
      return outcome.isReady
    } catch (error) {
      if (!hasReason(error, 'Invalid')) throw error
      await update(kind.refused(outcome, error))
      return false
    }
  }

  #lookAgain(key: string): void {
    if (this.#isStopped) return
    this.#unready.add(key)
    this.#recheck ??= this.#options.clock.setTimer(() => {
      this.#recheck = undefined
      for (const unready of this.#unready) this.#queue.add(unready)
    }, recheckMs)
  }
}

function warm({ cache }: Store): Promise<void> {
  return cache.warm()
}

function nameOf({ metadata: { name = '', namespace = '' } }: ApiObject): ObjectName {
  return { name, namespace }
}
