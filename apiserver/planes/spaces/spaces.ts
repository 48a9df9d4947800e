import { Revocations } from '../../authentication/revocations.ts'
import type { ManagementPlane } from '../../platform/managementPlane.ts'
import type { ApiObject } from '../../meta/types.ts'
import type { Store } from '../../registry/store.ts'
import type { PlaneObject } from '../planeObject.ts'
import { SpaceEntry, type SpaceEntryServices } from './spaceEntry.ts'
import { SpaceHosts, type SpaceHostsOptions } from './spaceHosts.ts'
import { hostOf } from '../syncedInstance.ts'

export interface SpacesOptions
  extends
    Omit<SpaceEntryServices, 'spaceHosts' | 'onMoved'>,
    Pick<SpaceHostsOptions, 'projects' | 'clusterEntry'> {
  spaces: Store
  projectNamespacePrefix: () => string
  report: (error: unknown) => void
}

/** The spaces of the management API. */
export function spacesOf(
  { parts, platform }: ManagementPlane,
  rest: Omit<SpacesOptions, 'spaces' | 'projects' | 'scopes' | 'projectNamespacePrefix'>,
): Spaces {
  const { plane, kinds, scopes } = parts
  return new Spaces({
    ...rest,
    spaces: plane.storeOf(kinds.spaceInstances),
    projects: plane.storeOf(kinds.projects),
    scopes,
    projectNamespacePrefix: () => platform.projectNamespacePrefix(),
  })
}

/** The spaces of all projects. A space has no plane of its own, and uses the plane of its cluster. */
export class Spaces {
  readonly #options: SpacesOptions
  readonly #spaceHosts: SpaceHosts
  readonly #moved = new Revocations()
  #stopFollowing: () => void = () => undefined

  constructor(options: SpacesOptions) {
    this.#options = options
    const isSpace = (uid: string) => this.#uids().has(uid)
    this.#spaceHosts = new SpaceHosts({ ...options, isSpace })
  }

  /** Follows spaces that are deleted or moved. */
  async start(): Promise<void> {
    const { cache } = this.#options.spaces
    await cache.warm()
    this.#stopFollowing = cache.onChange(({ entry, previous }) => {
      if (previous !== undefined) this.#changed(previous.object(), entry?.object())
    })
  }

  stop(): void {
    this.#stopFollowing()
  }

  find({ project, name }: { project: string; name: string }): SpaceEntry {
    return new SpaceEntry(this.#object(project, name), {
      ...this.#options,
      spaceHosts: this.#spaceHosts,
      onMoved: (uid, callback) => this.#moved.add(uid, callback),
    })
  }

  #object(project: string, space: string): PlaneObject {
    const { spaces, projectNamespacePrefix } = this.#options
    return {
      store: spaces,
      name: { namespace: projectNamespacePrefix() + project, name: space },
      target: { plane: 'space', project, space },
      audited: { target: 'ProjectSpace', cluster: '' },
    }
  }

  #changed(before: ApiObject, now: ApiObject | undefined): void {
    const { uid = '' } = before.metadata
    const isHere =
      now !== undefined && JSON.stringify(hostOf(now)) === JSON.stringify(hostOf(before))
    if (isHere) return
    this.#moved.run(uid)
    if (now !== undefined) return
    const prefix = this.#options.projectNamespacePrefix()
    const { namespace = '' } = before.metadata
    void this.#spaceHosts.remove(before, namespace.slice(prefix.length)).catch(this.#options.report)
  }

  #uids(): Set<string> {
    const all = [...this.#options.spaces.cache.all()]
    return new Set(all.map((entry) => entry.object().metadata.uid ?? ''))
  }
}
