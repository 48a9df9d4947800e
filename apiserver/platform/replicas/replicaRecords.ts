import type { Clock, Timer } from '../../meta/clock.ts'
import { groupVersionString, type ApiObject } from '../../meta/types.ts'
import { ignoreNotFound } from '../../registry/ignoring.ts'
import type { Store } from '../../registry/store.ts'
import { systemContext } from '../../registry/systemContext.ts'
import type { Part } from '../../runtime/leadership.ts'
import type { Storage } from '../../storage/storage.ts'

export interface ReplicaRecordsOptions {
  leases: Store
  namespace: string
  /** Identity of this server, unique for each start. */
  identity: string
  /** Domain of the annotations. */
  domain: string
  storage: Storage
  clock: Clock
  /** Reports whether this server removes the records of servers that have ended. */
  isLeading: () => boolean
  report: (error: unknown) => void
}

const heartbeatMs = 5_000
/** Time without a change after which a record belongs to an ended server. */
const deadMs = 15_000
const removeMs = 60_000
const prefix = 'apiserver-'
const role = 'apiserver.kubernetes.io/identity'

interface Seen {
  revision: string
  at: number
}

/**
 * Servers that share a storage: each has a Lease with the revision up to which it serves. A server that needs to know
 * that the others serve a revision requests that in its own record, and they respond in theirs.
 */
export class ReplicaRecords implements Part {
  readonly #options: ReplicaRecordsOptions
  readonly #seen = new Map<string, Seen>()
  #waiters = new Set<() => void>()
  #asked = 0
  #reported = 0
  #timer: Timer | undefined
  #writing: Promise<void> | undefined
  #stopFollowing: (() => void) | undefined
  #isStopped = false

  constructor(options: ReplicaRecordsOptions) {
    this.#options = options
  }

  /** Resolves when the others can see this server. */
  async start(): Promise<void> {
    const { leases } = this.#options
    await leases.cache.warm()
    for (const { key } of leases.cache.all()) this.#note(key)
    this.#stopFollowing = leases.cache.onChange(({ key }) => {
      this.#note(key)
      if (this.#highestAsked() > this.#reported) void this.#write()
      for (const tell of [...this.#waiters]) tell()
    })
    await this.#beat()
  }

  stop(): void {
    this.#isStopped = true
    this.#timer?.cancel()
    this.#stopFollowing?.()
    for (const tell of [...this.#waiters]) tell()
  }

  /** Removes the record; call it after `stop`. */
  async remove(): Promise<void> {
    await this.#writing
    const { leases } = this.#options
    await leases.delete(this.#target(), {}, systemContext()).catch(() => undefined) // other servers remove it later
  }

  /** Resolves when every live server serves the writes up to `revision`. */
  async reached(revision: number): Promise<void> {
    const { clock } = this.#options
    if (this.#behind(revision).length === 0) return
    this.#asked = Math.max(this.#asked, revision)
    void this.#write()
    while (!this.#isStopped && this.#behind(revision).length > 0) {
      await new Promise<void>((resolve) => {
        // A server that has ended does not respond.
        const timer = clock.setTimer(tell, 1_000)
        const waiters = this.#waiters
        function tell(): void {
          timer.cancel()
          waiters.delete(tell)
          resolve()
        }
        waiters.add(tell)
      })
    }
  }

  /** Identities of live servers that do not serve a revision yet. */
  #behind(revision: number): string[] {
    const now = this.#options.clock.now()
    return this.#records().flatMap((lease) => {
      const { name = '' } = lease.metadata
      const isDead = now - (this.#seen.get(name)?.at ?? now) > deadMs
      return name === this.#name ||
        isDead ||
        numberIn(lease, this.#annotation('revision')) >= revision
        ? []
        : [name]
    })
  }

  #highestAsked(): number {
    const asked = this.#records().map((lease) => numberIn(lease, this.#annotation('asks')))
    // A requested revision is served only once it has arrived here.
    return Math.min(Math.max(0, ...asked), this.#options.storage.revision)
  }

  #records(): ApiObject[] {
    const { leases, namespace } = this.#options
    return [...leases.cache.all()]
      .map((entry) => entry.object())
      .filter(
        ({ metadata }) => metadata.namespace === namespace && metadata.labels?.[role] !== undefined,
      )
  }

  #note(key: string): void {
    const { leases, clock } = this.#options
    const lease = leases.cache.get(key)?.object()
    const name = key.slice(key.lastIndexOf('/') + 1)
    if (lease === undefined) return void this.#seen.delete(name)
    const revision = lease.metadata.resourceVersion ?? ''
    if (this.#seen.get(name)?.revision !== revision)
      this.#seen.set(name, { revision, at: clock.now() })
  }

  async #beat(): Promise<void> {
    await this.#write()
    if (this.#options.isLeading()) await this.#removeDead()
    if (this.#isStopped) return
    this.#timer = this.#options.clock.setTimer(() => void this.#beat(), heartbeatMs)
  }

  /**
   * Writes the record, without concurrency, and once more if something changed in the meantime.
   * Never rejects.
   */
  #write(): Promise<void> {
    this.#writing ??= this.#writeOnce().finally(() => {
      this.#writing = undefined
      if (!this.#isStopped && this.#highestAsked() > this.#reported) void this.#write()
    })
    return this.#writing
  }

  async #writeOnce(): Promise<void> {
    if (this.#isStopped) return
    const { leases, clock, storage, report } = this.#options
    const { revision } = storage
    const renew = (old: ApiObject): ApiObject => ({
      ...old,
      metadata: {
        ...old.metadata,
        labels: { [role]: 'platform-apiserver' },
        annotations: {
          [this.#annotation('revision')]: String(revision),
          [this.#annotation('asks')]: String(this.#asked),
        },
      },
      spec: {
        holderIdentity: this.#name,
        leaseDurationSeconds: deadMs / 1000,
        renewTime: new Date(clock.now()).toISOString().replace('Z', '000Z'),
      },
    })
    const target = this.#target()
    const { kind } = leases.resource
    const apiVersion = groupVersionString(leases.resource)
    const createMissing = () => renew({ kind, apiVersion, metadata: { ...target } })
    try {
      await leases.update(target, { transform: renew, createMissing }, systemContext())
      this.#reported = Math.max(this.#reported, revision)
    } catch (error) {
      if (!this.#isStopped) report(error)
    }
  }

  async #removeDead(): Promise<void> {
    const { leases, namespace, clock, report } = this.#options
    for (const { metadata } of this.#records()) {
      const { name = '' } = metadata
      const { at } = this.#seen.get(name) ?? { at: clock.now() }
      if (clock.now() - at < removeMs) continue
      await leases
        .delete({ namespace, name }, {}, systemContext())
        .catch(ignoreNotFound)
        .catch(report)
    }
  }

  get #name(): string {
    return `${prefix}${this.#options.identity}`
  }

  #target() {
    return { namespace: this.#options.namespace, name: this.#name }
  }

  #annotation(name: string): string {
    return `${this.#options.domain}/${name}`
  }
}

function numberIn({ metadata }: ApiObject, annotation: string): number {
  return Number(metadata.annotations?.[annotation] ?? 0)
}
