import { addToGroup } from '../meta/collections/groupBy.ts'
import { formOf } from './objectForm.ts'
import type { GroupResource, GroupVersion } from '../meta/types.ts'
import type { ResourceDefinition } from './resource.ts'

/**
 * The resources of one control plane, in registration order. Derived documents are cached by `generation`, which every
 * change increments.
 */
export class ResourceSet {
  readonly #byPath = new Map<string, ResourceDefinition>()
  readonly #aliases = new Map<string, ResourceDefinition>()
  #generation = 0
  #index: Index | undefined

  constructor(resources: readonly ResourceDefinition[] = []) {
    for (const resource of resources) this.add(resource)
  }

  get generation(): number {
    return this.#generation
  }

  add(resource: ResourceDefinition): void {
    this.#byPath.set(pathOf(resource, resource.plural), resource)
    for (const alias of resource.aliases ?? []) this.#aliases.set(pathOf(resource, alias), resource)
    this.#changed()
  }

  remove(resource: ResourceDefinition): void {
    const path = pathOf(resource, resource.plural)
    if (this.#byPath.get(path) !== resource) return
    this.#byPath.delete(path)
    for (const alias of resource.aliases ?? []) this.#aliases.delete(pathOf(resource, alias))
    this.#changed()
  }

  /** Finds a resource by its plural or an alias. */
  get({ group, version }: GroupVersion, segment: string): ResourceDefinition | undefined {
    const { byPlural, byAlias } = this.#indexed()
    const isWanted = (one: ResourceDefinition) => one.group === group && one.version === version
    return byPlural.get(segment)?.find(isWanted) ?? byAlias.get(segment)?.find(isWanted)
  }

  /** The first version of a resource. */
  ofGroupResource({ group, resource }: GroupResource): ResourceDefinition | undefined {
    return this.#indexed()
      .byPlural.get(resource)
      ?.find((one) => one.group === group)
  }

  /** The resource of the kind in a reference, in any version; undefined: it is not served. */
  ofKind({
    apiVersion,
    kind,
  }: {
    apiVersion: string
    kind: string
  }): ResourceDefinition | undefined {
    const group = apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : ''
    return this.all().find((resource) => resource.kind === kind && resource.group === group)
  }

  all(): readonly ResourceDefinition[] {
    return this.#indexed().all
  }

  /** Reports whether clients defined all kinds of a group version. */
  isClientDefined(groupVersion: GroupVersion): boolean {
    return this.inGroupVersion(groupVersion).every((one) => formOf(one).isClientDefined)
  }

  /** The group versions served, in registration order. */
  groupVersions(): GroupVersion[] {
    const seen = new Map<string, GroupVersion>()
    for (const { group, version } of this.#byPath.values()) {
      seen.set(`${group}/${version}`, { group, version })
    }
    return [...seen.values()]
  }

  inGroupVersion({ group, version }: GroupVersion): ResourceDefinition[] {
    return this.all().filter((resource) => resource.group === group && resource.version === version)
  }

  #changed(): void {
    this.#generation++
    this.#index = undefined
  }

  #indexed(): Index {
    return (this.#index ??= {
      all: [...this.#byPath.values()],
      byPlural: grouped(this.#byPath),
      byAlias: grouped(this.#aliases),
    })
  }
}

/** Index of the resources. Every request makes several lookups, so no path is built for them. */
interface Index {
  all: readonly ResourceDefinition[]
  /** Versions by plural, in registration order. */
  byPlural: ReadonlyMap<string, readonly ResourceDefinition[]>
  byAlias: ReadonlyMap<string, readonly ResourceDefinition[]>
}

/** The resources by the last segment of their paths. */
function grouped(
  byPath: ReadonlyMap<string, ResourceDefinition>,
): ReadonlyMap<string, readonly ResourceDefinition[]> {
  const groups = new Map<string, ResourceDefinition[]>()
  for (const [path, resource] of byPath) {
    addToGroup(groups, path.slice(path.lastIndexOf('/') + 1), resource)
  }
  return groups
}

function pathOf({ group, version }: GroupVersion, plural: string): string {
  return `${group}/${version}/${plural}`
}
