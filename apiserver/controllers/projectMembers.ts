import type { RbacStores } from '../authorization/rbac/rbacIndex.ts'
import type { Clock } from '../meta/clock.ts'
import type { Store } from '../registry/store.ts'
import type { AccessNames } from './accessObjects.ts'
import { AccessRoles } from './accessRoles.ts'
import { memberGiving } from './memberObjects.ts'

export interface ProjectMembersOptions {
  rbac: RbacStores
  projects: Store
  namespaces: Store
  names: Pick<AccessNames, 'platform' | 'domain' | 'groups'>
  /** Prefix of project namespaces, which is read each time. */
  prefix: () => string
  clock: Clock
  /** Called with errors that will be retried. */
  report: (error: unknown) => void
}

/**
 * Gives the members of projects their cluster roles in the project's namespace once it exists, and
 * read access to the project. Source: platform facts 3.2, 3.3.
 */
export class ProjectMembers {
  readonly #options: ProjectMembersOptions
  readonly #roles: AccessRoles
  #stopFollowing: (() => void) | undefined

  constructor(options: ProjectMembersOptions) {
    this.#options = options
    const { rbac, projects, names, clock, report } = options
    const giving = memberGiving({ ...names, namespaceOf: (project) => this.#namespaceOf(project) })
    const resources = [projects.resource]
    this.#roles = new AccessRoles({
      rbac,
      resources,
      storeOf: () => projects,
      giving,
      clock,
      report,
    })
  }

  async start(): Promise<void> {
    const { namespaces, prefix } = this.#options
    await namespaces.cache.warm()
    this.#stopFollowing = namespaces.cache.onChange(({ key }) => {
      const { name } = namespaces.nameOf(key)
      if (name.startsWith(prefix())) this.#lookAt(name.slice(prefix().length))
    })
    await this.#roles.start()
  }

  /** Checks all projects again, after the prefix may have changed. */
  checkAll(): void {
    const { projects } = this.#options
    for (const { key } of projects.cache.all()) this.#lookAt(projects.nameOf(key).name)
  }

  stop(): void {
    this.#stopFollowing?.()
    this.#roles.stop()
  }

  #lookAt(project: string): void {
    this.#roles.check(this.#options.projects, { namespace: '', name: project })
  }

  /** The namespace of a project; undefined if it does not exist or is being deleted. */
  #namespaceOf(project: string): string | undefined {
    const { namespaces, prefix } = this.#options
    const name = prefix() + project
    const entry = namespaces.cache.get(namespaces.keyOf({ namespace: '', name }))
    const isThere = entry !== undefined && entry.object().metadata.deletionTimestamp === undefined
    return isThere ? name : undefined
  }
}
