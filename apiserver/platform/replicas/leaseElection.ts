import type { Clock, Timer } from '../../meta/clock.ts'
import { StatusError } from '../../meta/status.ts'
import { groupVersionString, type ApiObject } from '../../meta/types.ts'
import type { Store } from '../../registry/store.ts'
import { systemContext } from '../../registry/systemContext.ts'
import type { Part } from '../../runtime/leadership.ts'

export interface LeaseElectionOptions {
  leases: Store
  namespace: string
  name: string
  /** Identity of this server, unique for each start. */
  identity: string
  clock: Clock
  onLeading: () => void
  /** Called before another server can lead. */
  onLost: () => void
  report: (error: unknown) => void
}

/** Time without a renewal after which a Lease may be taken. Its holder stops leading after a shorter time. */
const leaseMs = 10_000
const renewEveryMs = 2_000
const giveUpMs = 7_000
const checkMs = 500

interface LeaseSpec {
  holderIdentity?: string
  leaseTransitions?: number
  acquireTime?: string
}

/** Thrown when the Lease belongs to another server. */
class HeldByOther extends Error {}

/**
 * Election of one server by a Lease: the holder renews it, and another server takes it if it was not renewed for ten
 * seconds by its own clock, or was released. Clocks need not agree. Every write compares the revision of the Lease, so
 * there is never a second holder.
 */
export class LeaseElection implements Part {
  readonly #options: LeaseElectionOptions
  #isLeading = false
  /** Start time of the last renewal. */
  #renewedAt = 0
  #renewTimer: Timer | undefined
  #checkTimer: Timer | undefined
  #stopFollowing: (() => void) | undefined
  /** Revision of the Lease, and the time when it was last seen to change. */
  #seen = { revision: '', at: 0 }
  #renewing: Promise<void> | undefined
  #isStopped = false

  constructor(options: LeaseElectionOptions) {
    this.#options = options
  }

  /** Resolves after the first attempt to take the Lease. */
  async start(): Promise<void> {
    const { leases } = this.#options
    await leases.cache.warm()
    this.#note()
    this.#stopFollowing = leases.cache.onChange(({ key }) => {
      if (key === this.#key()) this.#changed()
    })
    this.#check()
    await this.#renewOn()
  }

  stop(): void {
    if (this.#isStopped) return
    this.#isStopped = true
    this.#stopFollowing?.()
    this.#renewTimer?.cancel()
    this.#checkTimer?.cancel()
    this.#lose()
  }

  /** Releases the Lease, so that another server leads at once. Must be called after `stop`. */
  async release(): Promise<void> {
    await this.#renewing
    const { identity } = this.#options
    await this.#update((spec) => {
      if (spec.holderIdentity !== identity) throw new HeldByOther()
      return { ...spec, holderIdentity: '' }
    }).catch(() => undefined) // the Lease then expires
  }

  #key(): string {
    const { leases, namespace, name } = this.#options
    return leases.keyOf({ namespace, name })
  }

  #lease(): ApiObject | undefined {
    return this.#options.leases.cache.get(this.#key())?.object()
  }

  #note(): void {
    const revision = this.#lease()?.metadata.resourceVersion ?? ''
    if (revision === this.#seen.revision) return
    this.#seen = { revision, at: this.#options.clock.now() }
  }

  #changed(): void {
    this.#note()
    if (!this.#isLeading && this.#isFree()) void this.#renew()
  }

  /** Reports whether this server may take the Lease. */
  #isFree(): boolean {
    const spec = (this.#lease()?.['spec'] ?? {}) as LeaseSpec // sound by the schema
    const { holderIdentity = '' } = spec
    if (holderIdentity === '' || holderIdentity === this.#options.identity) return true
    return this.#options.clock.now() - this.#seen.at > leaseMs
  }

  async #renewOn(): Promise<void> {
    await this.#renew()
    if (this.#isStopped) return
    this.#renewTimer = this.#options.clock.setTimer(() => void this.#renewOn(), renewEveryMs)
  }

  /** Ends the leadership in time, even if a renewal hangs. */
  #check(): void {
    const { clock } = this.#options
    if (this.#isLeading && clock.now() - this.#renewedAt > giveUpMs) this.#lose()
    this.#checkTimer = clock.setTimer(() => this.#check(), checkMs)
  }

  /** Renews the Lease, without concurrency. Never rejects. */
  #renew(): Promise<void> {
    this.#renewing ??= this.#renewOnce().finally(() => (this.#renewing = undefined))
    return this.#renewing
  }

  async #renewOnce(): Promise<void> {
    const { clock, identity, report } = this.#options
    if (!this.#isLeading && !this.#isFree()) return
    const begun = clock.now()
    try {
      await this.#update((spec) => this.#held(spec, identity, begun))
      if (this.#isStopped) return
      // A renewal that took too long may have been followed by another server's.
      if (clock.now() - begun > giveUpMs) return
      this.#renewedAt = begun
      this.#win()
    } catch (error) {
      if (error instanceof HeldByOther) this.#lose()
      else if (!this.#isStopped) report(error)
    }
  }

  #held(spec: LeaseSpec, identity: string, nowMs: number): LeaseSpec {
    const isOwn = spec.holderIdentity === identity
    if (!isOwn && !this.#isFree()) throw new HeldByOther()
    const time = new Date(nowMs).toISOString().replace('Z', '000Z')
    const { acquireTime = time, leaseTransitions = 0 } = spec
    const isNew = spec.acquireTime === undefined
    return {
      holderIdentity: identity,
      ...{ leaseDurationSeconds: leaseMs / 1000, renewTime: time },
      acquireTime: isOwn ? acquireTime : time,
      leaseTransitions: isOwn || isNew ? leaseTransitions : leaseTransitions + 1,
    }
  }

  async #update(change: (spec: LeaseSpec) => LeaseSpec): Promise<void> {
    const { leases, namespace, name } = this.#options
    const { kind } = leases.resource
    const make = (): ApiObject => ({
      kind,
      apiVersion: groupVersionString(leases.resource),
      metadata: { namespace, name },
      spec: change({}),
    })
    const transform = (old: ApiObject): ApiObject => ({
      ...old,
      spec: change(old['spec'] ?? {}), // sound by the schema
    })
    try {
      await leases.update({ namespace, name }, { transform, createMissing: make }, systemContext())
    } catch (error) {
      const cause = error instanceof StatusError ? error.cause : undefined
      throw cause instanceof HeldByOther ? cause : error
    }
  }

  #win(): void {
    if (this.#isLeading) return
    this.#isLeading = true
    this.#options.onLeading()
  }

  #lose(): void {
    if (!this.#isLeading) return
    this.#isLeading = false
    this.#options.onLost()
  }
}
