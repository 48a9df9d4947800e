import type { Clock } from '../meta/clock.ts'
import { groupVersionString, type ApiObject } from '../meta/types.ts'
import { ignoring } from '../registry/ignoring.ts'
import type { Store } from '../registry/store.ts'
import { systemContext } from '../registry/systemContext.ts'
import { WorkQueue } from '../runtime/workQueue.ts'

/** An object that every namespace has. */
export interface NamespaceObject {
  store: Store
  name: string
  /** Fields other than kind, version and metadata; changes to them are reverted. */
  content: Readonly<Record<string, unknown>>
}

export interface NamespaceObjectsOptions {
  namespaces: Store
  objects: readonly NamespaceObject[]
  clock: Clock
  /** Called with errors that will be retried. */
  report: (error: unknown) => void
}

/**
 * Maintains the given objects in every namespace that is not being deleted: creates them, and
 * recreates deleted ones.
 * Source: Kubernetes, the controllers of service accounts and of root certificates.
 */
export class NamespaceObjects {
  readonly #options: NamespaceObjectsOptions
  readonly #queue: WorkQueue
  #stopFollowing: (() => void)[] = []

  constructor(options: NamespaceObjectsOptions) {
    this.#options = options
    const { clock, report } = options
    this.#queue = new WorkQueue({
      clock,
      report,
      work: (namespace) => this.#ensure(namespace),
      concurrency: 16,
    })
  }

  async start(): Promise<void> {
    const { namespaces, objects } = this.#options
    await Promise.all([namespaces, ...objects.map(({ store }) => store)].map(warm))
    this.#stopFollowing = [
      namespaces.cache.onChange(({ entry }) => {
        if (entry !== undefined) this.#queue.add(entry.object().metadata.name ?? '')
      }),
      ...objects.map((object) => this.#follow(object)),
    ]
    for (const entry of namespaces.cache.all()) this.#queue.add(entry.object().metadata.name ?? '')
  }

  stop(): void {
    this.#queue.stop()
    for (const stop of this.#stopFollowing) stop()
  }

  /** Checks a namespace after a change of one of its objects. */
  #follow({ store, name }: NamespaceObject): () => void {
    return store.cache.onChange(({ key }) => {
      const [namespace = '', changed] = key.slice(store.keyPrefix.length).split('/')
      if (changed === name) this.#queue.add(namespace)
    })
  }

  async #ensure(namespace: string): Promise<void> {
    const { namespaces, objects } = this.#options
    const entry = namespaces.cache.get(namespaces.keyOf({ namespace: '', name: namespace }))
    if (entry === undefined || entry.object().metadata.deletionTimestamp !== undefined) return
    await Promise.all(objects.map((object) => ensureObject(object, namespace)))
  }
}

function warm({ cache }: Store): Promise<void> {
  return cache.warm()
}

async function ensureObject(object: NamespaceObject, namespace: string): Promise<void> {
  const { store, name, content } = object
  const target = { namespace, name }
  const stored = store.options.storage.newest(store.keyOf(target))
  if (stored === undefined) return create(object, namespace)
  if (Object.keys(content).length === 0) return
  const transform = (old: ApiObject): ApiObject => ({ ...old, ...structuredClone(content) })
  await store.update(target, { transform }, systemContext()).catch(ignoreGone)
}

async function create({ store, name, content }: NamespaceObject, namespace: string) {
  const { resource } = store
  const object = {
    kind: resource.kind,
    apiVersion: groupVersionString(resource),
    metadata: { name, namespace },
    ...structuredClone(content),
  }
  await store.create(object, systemContext()).catch(ignoreGone)
}

/** Ignores that another client was faster, or that the namespace is being deleted. */
const ignoreGone = ignoring('AlreadyExists', 'NotFound', 'Forbidden')
