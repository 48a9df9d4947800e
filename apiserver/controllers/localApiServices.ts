import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '../meta/clock.ts'
import type { ApiObject, GroupVersion } from '../meta/types.ts'
import { ignoring } from '../registry/ignoring.ts'
import type { Store } from '../registry/store.ts'
import { systemContext } from '../registry/systemContext.ts'
import { WorkQueue } from '../runtime/workQueue.ts'

export interface LocalServicesOptions {
  /** The store of APIServices. */
  services: Store
  /** The store of CustomResourceDefinitions. */
  definitions: Store
  /** APIServices of built-in groups. */
  builtIn: readonly ApiObject[]
  /** APIService for a version that a definition serves. */
  custom: (groupVersion: GroupVersion) => ApiObject
  /** Label of APIServices that are maintained here; others are not changed. */
  managedLabel: string
  clock: Clock
  /** Called with errors that will be retried. */
  report: (error: unknown) => void
}

interface Definition {
  spec?: { group?: string; versions?: { name?: string; served?: boolean }[] }
}

/**
 * Maintains an APIService for each group version served here. APIServices of built-in groups are
 * created and corrected at start; those of definitions are added and removed with them. Source:
 * Kubernetes, the controller that registers APIServices.
 */
export class LocalServices {
  readonly #options: LocalServicesOptions
  readonly #queue: WorkQueue
  readonly #builtIn: ReadonlyMap<string, ApiObject>
  /** Group versions of definitions, by APIService name, with the definitions that serve them. */
  readonly #wanted = new Map<string, { groupVersion: GroupVersion; servedBy: Set<string> }>()
  /** Group versions that each definition currently serves, by APIService name. */
  readonly #served = new Map<string, ReadonlyMap<string, GroupVersion>>()
  #stopFollowing: (() => void)[] = []

  constructor(options: LocalServicesOptions) {
    this.#options = options
    const { clock, report, builtIn } = options
    this.#builtIn = new Map(builtIn.map((object) => [nameOf(object), object]))
    const work = (name: string) => this.#keep(name)
    this.#queue = new WorkQueue({ clock, report, work, concurrency: 16 })
  }

  async start(): Promise<void> {
    const { services, definitions } = this.#options
    await Promise.all([services.cache.warm(), definitions.cache.warm()])
    this.#stopFollowing = [
      definitions.cache.onChange(({ key, entry }) => this.#defined(key, entry?.object())),
      services.cache.onChange(({ key }) => {
        const name = key.slice(services.keyPrefix.length)
        if (!this.#builtIn.has(name)) this.#queue.add(name)
      }),
    ]
    for (const entry of definitions.cache.all()) this.#defined(entry.key, entry.object())
    for (const entry of services.cache.all()) this.#queue.add(nameOf(entry.object()))
    for (const name of this.#builtIn.keys()) this.#queue.add(name)
  }

  stop(): void {
    this.#queue.stop()
    for (const stop of this.#stopFollowing) stop()
  }

  #defined(key: string, object: ApiObject | undefined): void {
    const before = this.#served.get(key)
    const now = servedVersions(object)
    if (object === undefined) this.#served.delete(key)
    else this.#served.set(key, now)
    for (const name of before?.keys() ?? []) {
      const wanted = this.#wanted.get(name)
      if (now.has(name) || wanted === undefined) continue
      wanted.servedBy.delete(key)
      if (wanted.servedBy.size > 0) continue
      this.#wanted.delete(name)
      this.#queue.add(name)
    }
    for (const [name, groupVersion] of now) {
      const wanted = this.#wanted.get(name)
      if (wanted !== undefined) {
        wanted.servedBy.add(key)
        continue
      }
      this.#wanted.set(name, { groupVersion, servedBy: new Set([key]) })
      this.#queue.add(name)
    }
  }

  async #keep(name: string): Promise<void> {
    const { services } = this.#options
    const desired = this.#desired(name)
    const current = services.cache.get(services.keyOf({ namespace: '', name }))?.object()
    try {
      if (current === undefined) {
        if (desired !== undefined) await services.create(structuredClone(desired), systemContext())
      } else if (this.#isManaged(current)) await this.#bringIntoLine(current, desired)
    } catch (error) {
      // If another writer was faster, its change triggers another check.
      ignoring('AlreadyExists', 'NotFound', 'Conflict')(error)
    }
  }

  #desired(name: string): ApiObject | undefined {
    const builtIn = this.#builtIn.get(name)
    if (builtIn !== undefined) return builtIn
    const wanted = this.#wanted.get(name)
    return wanted && this.#options.custom(wanted.groupVersion)
  }

  #isManaged({ metadata: { labels = {} } }: ApiObject): boolean {
    return ['true', 'onstart'].includes(labels[this.#options.managedLabel] ?? '')
  }

  async #bringIntoLine(current: ApiObject, desired: ApiObject | undefined): Promise<void> {
    const { services } = this.#options
    const { name = '', uid } = current.metadata
    const target = { namespace: '', name }
    if (desired === undefined) {
      const preconditions = uid === undefined ? {} : { uid }
      await services.delete(target, { preconditions }, systemContext())
    } else if (!isDeepStrictEqual(current['spec'], desired['spec'])) {
      const transform = (old: ApiObject): ApiObject => ({
        ...old,
        spec: structuredClone(desired['spec']),
      })
      await services.update(target, { transform }, systemContext())
    }
  }
}

function nameOf({ metadata: { name = '' } }: ApiObject): string {
  return name
}

function servedVersions(object: ApiObject | undefined): ReadonlyMap<string, GroupVersion> {
  // Guaranteed by the schema of the store.
  const { group = '', versions = [] } = (object as Definition | undefined)?.spec ?? {}
  const served = versions.filter(({ served }) => served === true)
  return new Map(served.map(({ name = '' }) => [`${name}.${group}`, { group, version: name }]))
}
