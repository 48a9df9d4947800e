import { hasReason } from '../meta/status.ts'
import type { Clock } from '../meta/clock.ts'
import { groupVersionString, type ApiObject, type OwnerReference } from '../meta/types.ts'
import type { Store } from '../registry/store.ts'
import { systemContext } from '../registry/systemContext.ts'
import { WorkQueue } from '../runtime/workQueue.ts'

export interface ProjectNamespacesOptions {
  projects: Store
  namespaces: Store
  clock: Clock
  /** Prefix of the namespaces, which is read each time. */
  prefix: () => string
  /** The label that contains the project's name. */
  label: string
  /** Called with errors that will be retried. */
  report: (error: unknown) => void
}

const projectsAtOnce = 20

/**
 * Creates a namespace for each project. The namespace has the project as its owner, so that the
 * garbage collector removes it, and its content, with the project. A namespace that already existed
 * is labelled without an owner and stays. A namespace that is lost while the project exists is
 * created again.
 */
export class ProjectNamespaces {
  readonly #options: ProjectNamespacesOptions
  readonly #queue: WorkQueue
  readonly #stopFollowing: (() => void)[] = []

  constructor(options: ProjectNamespacesOptions) {
    this.#options = options
    const { clock, report } = options
    const work = (name: string) => this.#work(name)
    this.#queue = new WorkQueue({ clock, report, work, concurrency: projectsAtOnce })
  }

  async start(): Promise<void> {
    const { projects, namespaces } = this.#options
    await Promise.all([projects.cache.warm(), namespaces.cache.warm()])
    this.#stopFollowing.push(
      projects.cache.onChange(({ key, entry }) => {
        if (entry !== undefined) this.#queue.add(key.slice(projects.keyPrefix.length))
      }),
      namespaces.cache.onChange(({ key, entry }) => {
        if (entry === undefined) this.#namespaceIsGone(key.slice(namespaces.keyPrefix.length))
      }),
    )
    this.ensureAll()
  }

  /**
   * Checks all projects again, after the prefix may have changed. Namespaces with the old prefix
   * stay.
   */
  ensureAll(): void {
    const { cache, keyPrefix } = this.#options.projects
    for (const { key } of cache.all()) this.#queue.add(key.slice(keyPrefix.length))
  }

  stop(): void {
    for (const stop of this.#stopFollowing) stop()
    this.#queue.stop()
  }

  /**
   * Creates or labels the namespace of a project; resolves when that is durable. Nothing is written
   * if nothing changes.
   */
  async ensure(project: ApiObject): Promise<void> {
    const { namespaces, prefix, label } = this.#options
    const { name: projectName = '', deletionTimestamp } = project.metadata
    if (deletionTimestamp !== undefined) return
    const name = prefix() + projectName
    const labels = { [label]: projectName }
    const owner = ownerReference(project)
    const metadata = { name, labels, ...(owner === undefined ? {} : { ownerReferences: [owner] }) }
    const { kind } = namespaces.resource
    const apiVersion = groupVersionString(namespaces.resource)
    try {
      await namespaces.create({ kind, apiVersion, metadata }, systemContext())
    } catch (error) {
      if (!hasReason(error, 'AlreadyExists')) throw error
      await this.#label(name, labels)
    }
  }

  async #work(name: string): Promise<void> {
    const { projects } = this.#options
    const entry = projects.cache.get(projects.keyOf({ namespace: '', name }))
    if (entry !== undefined) await this.ensure(entry.object())
  }

  async #label(name: string, labels: Record<string, string>): Promise<void> {
    const transform = (old: ApiObject): ApiObject => ({
      ...old,
      metadata: { ...old.metadata, labels: { ...old.metadata.labels, ...labels } },
    })
    await this.#options.namespaces.update({ namespace: '', name }, { transform }, systemContext())
  }

  #namespaceIsGone(name: string): void {
    const prefix = this.#options.prefix()
    if (name.startsWith(prefix)) this.#queue.add(name.slice(prefix.length))
  }
}

function ownerReference(owner: ApiObject): OwnerReference | undefined {
  const { kind, apiVersion, metadata } = owner
  const { name, uid } = metadata
  if (name === undefined || uid === undefined) return undefined
  return { apiVersion, kind, name, uid, controller: true }
}
