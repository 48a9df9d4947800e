import type { Clock, Random } from '../../apiserver/meta/clock.ts'
import type { PlaneClient } from '../client/planeClient.ts'
import type { Naming } from '../names/naming.ts'
import type { ObjectReference } from '../patches/references.ts'
import { hostReferenceName } from './hostReferenceName.ts'
import type { ReferenceSync } from './referenceSync.ts'
import { WatchedObjects } from './watchedObjects.ts'

export interface FollowedReferencesOptions {
  virtual: PlaneClient
  host: PlaneClient
  references: ReferenceSync
  naming: Naming
  clock: Clock
  random: Random
  /** Queues a reference, immediately or later. */
  queue: (reference: string, delayMs?: number) => void
  report: (error: unknown) => void
}

/** Interval of checks for a kind that is not served, since it may be served later. */
const unservedMs = 30_000

/**
 * Keeps referenced objects in sync on both planes: watches exactly the referenced objects on each plane and copies
 * their changes. Removes copies without a reference from the host.
 * Source: specification, patches[].reference; platform facts 6.6.
 */
export class FollowedReferences {
  readonly #options: FollowedReferencesOptions
  /** References by synced object, and synced objects by reference. */
  readonly #byOwner = new Map<string, ReadonlySet<string>>()
  readonly #owners = new Map<string, Set<string>>()
  readonly #virtual: WatchedObjects
  readonly #host: WatchedObjects

  constructor(options: FollowedReferencesOptions) {
    this.#options = options
    const { virtual, host, clock, random, queue, report, naming } = options
    const shared = { clock, random, report, changed: (reference: string) => queue(reference) }
    const within = naming.namespaces === undefined ? naming.hostNamespace : undefined
    this.#virtual = new WatchedObjects({ ...shared, client: virtual, namespace: undefined })
    this.#host = new WatchedObjects({ ...shared, client: host, namespace: within })
  }

  /** Sets the references of an object; empty if it is gone, or not synced. */
  refer(owner: string, references: readonly ObjectReference[]): void {
    const { references: sync, queue } = this.#options
    const before = this.#byOwner.get(owner) ?? new Set()
    const now = new Set(references.filter((one) => sync.isFollowed(one)).map(referenceKey))
    if (now.size === 0) this.#byOwner.delete(owner)
    else this.#byOwner.set(owner, now)
    for (const key of now) {
      const owners = this.#owners.get(key)
      this.#owners.set(key, (owners ?? new Set()).add(owner))
      if (owners === undefined) queue(key)
    }
    for (const key of before) if (!now.has(key)) this.#lose(key, owner)
  }

  isReferredTo(reference: ObjectReference): boolean {
    return this.#owners.has(referenceKey(reference))
  }

  /**
   * Syncs both sides of a reference, or undoes the sync if no object has the reference any longer.
   * @throws PlaneError: retry.
   */
  async sync(key: string): Promise<void> {
    const reference = readReferenceKey(key)
    const { virtual, host, references, queue, naming } = this.#options
    if (!this.#owners.has(key)) {
      for (const side of [this.#virtual, this.#host]) side.forget(key)
      return references.withdraw(reference)
    }
    const { apiVersion, kind } = reference
    const [inside, outside] = await Promise.all(
      [virtual, host].map((plane) => plane.resourceOf(apiVersion, kind)),
    )
    if (inside === undefined || outside === undefined) queue(key, unservedMs)
    const place = hostReferenceName(reference, naming)
    // Watched before they are read, so that no change is missed.
    if (inside !== undefined) this.#virtual.watch(key, inside, reference)
    if (outside !== undefined && place !== undefined) this.#host.watch(key, outside, place)
    await references.toHost(reference)
  }

  async stop(): Promise<void> {
    await Promise.all([this.#virtual.stop(), this.#host.stop()])
  }

  #lose(key: string, owner: string): void {
    const owners = this.#owners.get(key)
    owners?.delete(owner)
    if (owners?.size !== 0) return
    this.#owners.delete(key)
    this.#options.queue(key)
  }
}

function referenceKey({ apiVersion, kind, namespace, name }: ObjectReference): string {
  return JSON.stringify([apiVersion, kind, namespace, name])
}

export function readReferenceKey(key: string): ObjectReference {
  // Sound: only `referenceKey` creates these keys.
  const [apiVersion, kind, namespace, name] = JSON.parse(key) as [string, string, string, string]
  return { apiVersion, kind, namespace, name }
}
