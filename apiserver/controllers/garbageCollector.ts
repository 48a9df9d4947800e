import { ignoreNotFound, ignoring } from '../registry/ignoring.ts'
import type { Clock } from '../meta/clock.ts'
import type { ApiObject, OwnerReference } from '../meta/types.ts'
import { foregroundFinalizer, orphanFinalizer } from '../registry/write/dependentsFinalizer.ts'
import type { DeleteOptions } from '../registry/write/deleteOptions.ts'
import type { Store } from '../registry/store.ts'
import type { ObjectName } from '../registry/storeTypes.ts'
import { systemContext } from '../registry/systemContext.ts'
import { OwnerEvents } from './ownerEvents.ts'
import { OwnerGraph, type Dependent } from './ownerGraph.ts'
import { WorkQueue } from '../runtime/workQueue.ts'

/** An object found by its key. */
export interface Located {
  store: Store
  target: ObjectName
}

/** Change of an object of the control plane, which is decoded on demand. */
export interface ObjectChange {
  key: string
  /** True if the object's bytes contain the field name, so that decoding is worthwhile. */
  mayHaveOwners: boolean
  mayBeDeleting: boolean
  isGone: boolean
  object: () => ApiObject | undefined
  previous: () => ApiObject | undefined
}

export interface GarbageCollectorOptions {
  clock: Clock
  report: (error: unknown) => void
  /** The object with a key; undefined: its kind is not served. */
  locate: (key: string) => Located | undefined
  /** The store of an owner's kind; undefined: it is not served. */
  storeOf: (reference: OwnerReference) => Store | undefined
  /** Calls the listener for every existing object, then for every change. Returns a function that unsubscribes. */
  follow: (listener: (change: ObjectChange) => void) => Promise<() => void>
}

/**
 * State of an owner. `meaningless`: the reference is invalid, and the dependent is kept
 * nevertheless.
 */
type OwnerState = 'solid' | 'absent' | 'waiting' | 'meaningless'

/**
 * Removes objects after all their owners are gone, and carries out foreground and orphan deletion.
 * Only objects with owners are kept in memory. Source: reference 3.7; Kubernetes, "Garbage
 * Collection".
 */
export class GarbageCollector {
  readonly #options: GarbageCollectorOptions
  readonly #graph = new OwnerGraph()
  readonly #queue: WorkQueue
  readonly #events: OwnerEvents
  /**
   * Keys to check once all objects are known; until then, the dependents of an owner are
   * incomplete.
   */
  #early: Set<string> | undefined = new Set()
  #stopFollowing: (() => void) | undefined

  constructor(options: GarbageCollectorOptions) {
    const { clock, report, storeOf } = options
    this.#options = options
    const eventStore = () => storeOf({ apiVersion: 'v1', kind: 'Event', name: '', uid: '' })
    this.#events = new OwnerEvents({ clock, report, eventStore })
    this.#queue = new WorkQueue({
      clock,
      report,
      concurrency: 20,
      work: (key) => this.#process(key),
    })
  }

  async start(): Promise<void> {
    this.#stopFollowing = await this.#options.follow((change) => this.#changed(change))
    const early = this.#early ?? []
    this.#early = undefined
    for (const key of early) this.#add(key)
  }

  stop(): void {
    this.#stopFollowing?.()
    this.#queue.stop()
  }

  #add(key: string): void {
    if (this.#early === undefined) this.#queue.add(key)
    else this.#early.add(key)
  }

  #changed(change: ObjectChange): void {
    const { key } = change
    const wasKnown = this.#graph.get(key)
    if (change.mayHaveOwners || wasKnown !== undefined) {
      const before = wasKnown?.owners ?? []
      this.#graph.set(key, change.object())
      // These owners may be waiting for the dependent, which stays but no longer blocks them.
      if (!change.isGone)
        for (const owner of this.#unblocked(key, before)) this.#addOwner(key, owner)
      if (this.#graph.get(key) !== undefined) this.#add(key)
    }
    if (change.isGone) this.#deleted(change, wasKnown?.owners ?? [])
    else if (change.mayBeDeleting) this.#add(key)
  }

  /**
   * Owners that the dependent blocked before its change, but no longer blocks. Source:
   * kube-controller-manager, garbagecollector.
   */
  #unblocked(key: string, before: readonly OwnerReference[]): OwnerReference[] {
    const blocks = ({ blockOwnerDeletion }: OwnerReference) => blockOwnerDeletion === true
    const left = new Set((this.#graph.get(key)?.owners ?? []).filter(blocks).map(({ uid }) => uid))
    return before.filter((owner) => blocks(owner) && !left.has(owner.uid))
  }

  /**
   * Handles a deletion: dependents of the object may have lost their last owner, and its owners
   * their last blocking dependent.
   */
  #deleted({ key, previous }: ObjectChange, owners: readonly OwnerReference[]): void {
    for (const owner of owners) this.#addOwner(key, owner)
    if (this.#graph.size === 0) return
    const uid = previous()?.metadata.uid ?? ''
    for (const dependent of this.#graph.dependentsOf(uid)) this.#add(dependent.key)
  }

  #addOwner(dependentKey: string, owner: OwnerReference): void {
    const store = this.#options.storeOf(owner)
    const namespace = this.#options.locate(dependentKey)?.target.namespace ?? ''
    if (store !== undefined) this.#add(store.keyOf({ namespace, name: owner.name }))
  }

  async #process(key: string): Promise<void> {
    const found = this.#find(key)
    if (found === undefined) return
    const { object } = found
    const { finalizers = [], deletionTimestamp, ownerReferences = [] } = object.metadata
    if (deletionTimestamp === undefined) {
      if (ownerReferences.length > 0) await this.#checkOwners(found)
    } else if (finalizers.includes(orphanFinalizer)) await this.#orphanDependents(found)
    else if (finalizers.includes(foregroundFinalizer)) await this.#deleteDependents(found)
  }

  #find(key: string): FoundObject | undefined {
    const located = this.#options.locate(key)
    if (located === undefined) return undefined
    try {
      const { object } = located.store.newest(located.target)
      return { ...located, object }
    } catch (error) {
      ignoreNotFound(error)
      return undefined
    }
  }

  async #checkOwners({ store, target, object }: FoundObject): Promise<void> {
    const owners = object.metadata.ownerReferences ?? []
    const states = owners.map((owner) => this.#stateOf(owner, store, target))
    for (const [at, owner] of owners.entries()) await this.#tellOfInvalid(owner, states[at], object)
    if (states.some((state) => state === 'solid' || state === 'meaningless')) {
      const isGone = (state: OwnerState | undefined) => state === 'absent' || state === 'waiting'
      const gone = new Set(owners.filter((_, at) => isGone(states[at])).map(({ uid }) => uid))
      if (gone.size > 0) await withoutOwners(store, target, gone)
      return
    }
    const dependents = this.#graph.dependentsOf(object.metadata.uid ?? '')
    if (states.includes('waiting') && dependents.length > 0) {
      // In a cycle of waiting owners, this owner stops blocking the others.
      if (dependents.some(({ key }) => this.#isWaiting(key))) await unblocking(store, target)
      await this.#delete({ store, target, object }, 'Foreground')
      return
    }
    await this.#delete({ store, target, object }, undefined)
  }

  async #tellOfInvalid(
    owner: OwnerReference,
    state: OwnerState | undefined,
    dependent: ApiObject,
  ): Promise<void> {
    const owners = this.#options.storeOf(owner)
    if (owners === undefined || (state !== 'absent' && state !== 'meaningless')) return
    await this.#events.check(dependent, owner, owners)
  }

  /** Reports whether the owner exists, is gone, or waits for its dependents. */
  #stateOf(owner: OwnerReference, dependent: Store, { namespace }: ObjectName): OwnerState {
    const store = this.#options.storeOf(owner)
    // A kind that is not served may be served again, so nothing is removed because of it.
    if (store === undefined) return 'solid'
    // A namespaced object cannot own a cluster-scoped object, so the reference is invalid.
    if (store.resource.namespaced && !dependent.resource.namespaced) return 'meaningless'
    try {
      const { object } = store.newest({ namespace, name: owner.name })
      if (object.metadata.uid !== owner.uid) return 'absent'
      return waitsForDependents(object) ? 'waiting' : 'solid'
    } catch (error) {
      ignoreNotFound(error)
      return 'absent'
    }
  }

  #isWaiting(key: string): boolean {
    const found = this.#find(key)
    return found !== undefined && waitsForDependents(found.object)
  }

  /**
   * Deletes an object. `policy` undefined: as the object's finalizers request, by default in the
   * background.
   */
  async #delete(
    { store, target, object }: FoundObject,
    policy: 'Foreground' | undefined,
  ): Promise<void> {
    const { uid } = object.metadata
    const options: DeleteOptions = {
      ...(policy === undefined ? {} : { propagationPolicy: policy }),
      ...(uid === undefined ? {} : { preconditions: { uid } }),
    }
    await store.delete(target, options, systemContext()).catch(ignoreStale)
  }

  /**
   * Deletes blocking dependents in the foreground first. A dependent that waits for its own
   * dependents continues when the last of them is gone.
   */
  async #deleteDependents(owner: FoundObject): Promise<void> {
    const uid = owner.object.metadata.uid ?? ''
    const dependents = this.#graph.dependentsOf(uid).filter((one) => one.uid !== uid)
    // While thousands of dependents are deleted, their owner is checked repeatedly, so dependents
    // known to be deleting are not read again. The deletion of others may be pending; two objects
    // that own each other would otherwise trigger each other endlessly.
    for (const { key, isDeleting } of dependents)
      if (!isDeleting && !this.#isWaiting(key)) this.#add(key)
    const blocking = dependents.filter(({ owners }) =>
      owners.some((reference) => reference.uid === uid && reference.blockOwnerDeletion === true),
    )
    if (blocking.every((dependent) => this.#isCircle(dependent, uid)))
      await withoutFinalizer(owner, foregroundFinalizer)
  }

  /** Reports whether a chain of waiting objects leads from an object to the object with `uid`. */
  #isCircle(from: Dependent, uid: string): boolean {
    const seen = new Set<string>()
    const next = [from]
    for (let one = next.pop(); one !== undefined; one = next.pop()) {
      if (one.uid === uid) return true
      if (seen.has(one.uid) || !one.isDeleting || !this.#isWaiting(one.key)) continue
      seen.add(one.uid)
      next.push(...this.#graph.dependentsOf(one.uid))
    }
    return false
  }

  async #orphanDependents(owner: FoundObject): Promise<void> {
    const uid = owner.object.metadata.uid ?? ''
    for (const { key } of this.#graph.dependentsOf(uid)) {
      const located = this.#options.locate(key)
      if (located !== undefined) await withoutOwners(located.store, located.target, new Set([uid]))
    }
    await withoutFinalizer(owner, orphanFinalizer)
  }
}

interface FoundObject extends Located {
  object: ApiObject
}

/** Reports whether the object is being deleted in the foreground. */
function waitsForDependents({ metadata }: ApiObject): boolean {
  return (
    metadata.deletionTimestamp !== undefined &&
    (metadata.finalizers ?? []).includes(foregroundFinalizer)
  )
}

async function unblocking(store: Store, target: ObjectName): Promise<void> {
  const transform = (old: ApiObject): ApiObject => {
    const ownerReferences = (old.metadata.ownerReferences ?? []).map(
      ({ blockOwnerDeletion: _, ...reference }) => reference,
    )
    return { ...old, metadata: { ...old.metadata, ownerReferences } }
  }
  await store.update(target, { transform }, systemContext()).catch(ignoreNotFound)
}

async function withoutOwners(
  store: Store,
  target: ObjectName,
  uids: ReadonlySet<string>,
): Promise<void> {
  const transform = (old: ApiObject): ApiObject => {
    const { ownerReferences = [], ...metadata } = old.metadata
    const left = ownerReferences.filter(({ uid }) => !uids.has(uid))
    return {
      ...old,
      metadata: left.length === 0 ? metadata : { ...metadata, ownerReferences: left },
    }
  }
  await store.update(target, { transform }, systemContext()).catch(ignoreNotFound)
}

async function withoutFinalizer(
  { store, target, object }: FoundObject,
  name: string,
): Promise<void> {
  const { uid } = object.metadata
  const transform = (old: ApiObject): ApiObject => {
    const { finalizers = [], ...metadata } = old.metadata
    const left = finalizers.filter((other) => other !== name)
    return { ...old, metadata: left.length === 0 ? metadata : { ...metadata, finalizers: left } }
  }
  const request = uid === undefined ? { transform } : { transform, uid }
  await store.update(target, request, systemContext()).catch(ignoreStale)
}

/** Ignores that another object now has the name, since nothing is left to do for the old one. */
const ignoreStale = ignoring('NotFound', 'Conflict')
