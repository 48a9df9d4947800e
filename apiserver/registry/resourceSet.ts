import type { GroupVersion } from '../meta/types.ts'
import type { ResourceDefinition } from './resource.ts'

/**
 * The resources of one control plane, in registration order. Derived documents are cached by `generation`, which every
 * change increments.
 */
export class ResourceSet {
  readonly #byPath = new Map<string, ResourceDefinition>()
  readonly #aliases = new Map<string, ResourceDefinition>()
  #generation = 0

  constructor(resources: readonly ResourceDefinition[] = []) {
    for (const resource of resources) this.add(resource)
  }

  get generation(): number {
    return this.#generation
  }

  add(resource: ResourceDefinition): void {
    this.#byPath.set(pathOf(resource, resource.plural), resource)
    for (const alias of resource.aliases ?? []) this.#aliases.set(pathOf(resource, alias), resource)
    this.#generation++
  }

  remove(resource: ResourceDefinition): void {
    const path = pathOf(resource, resource.plural)
    if (this.#byPath.get(path) !== resource) return
    this.#byPath.delete(path)
    for (const alias of resource.aliases ?? []) this.#aliases.delete(pathOf(resource, alias))
    this.#generation++
  }

  /** Finds a resource by its plural or an alias. */
  get(groupVersion: GroupVersion, segment: string): ResourceDefinition | undefined {
    const path = pathOf(groupVersion, segment)
    return this.#byPath.get(path) ?? this.#aliases.get(path)
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

  all(): ResourceDefinition[] {
    return [...this.#byPath.values()]
  }

  /** Whether a group version has custom kinds alone. */
  isCustom(groupVersion: GroupVersion): boolean {
    return this.inGroupVersion(groupVersion).every(({ isCustom }) => isCustom === true)
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
}

function pathOf({ group, version }: GroupVersion, plural: string): string {
  return `${group}/${version}/${plural}`
}
