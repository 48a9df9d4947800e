import type { AdmissionTarget } from '../registry/admission.ts'
import type { ResourceDefinition } from '../registry/resource.ts'

/** Caches a result for each kind, operation and subresource until the generation changes. */
export class TargetCache<Found> {
  #found = new WeakMap<ResourceDefinition, Results<Found>>()
  #generation = -1

  get(target: AdmissionTarget, generation: number, find: () => Found): Found {
    if (this.#generation !== generation) {
      this.#generation = generation
      this.#found = new WeakMap()
    }
    const { kind, operation } = target
    let ofKind = this.#found.get(kind)
    if (ofKind === undefined) this.#found.set(kind, (ofKind = new Map<string, { found: Found }>()))
    const key = isWholeObject(target) ? operation : longKey(target)
    let result = ofKind.get(key)
    if (result === undefined) ofKind.set(key, (result = { found: find() }))
    return result.found
  }
}

/** Results for one kind, by operation and the other parts of the target. */
type Results<Found> = Map<string, { found: Found }>

function isWholeObject({ kind, resource, subresource }: AdmissionTarget): boolean {
  return subresource === '' && resource === kind
}

function longKey({ operation, resource, subresource }: AdmissionTarget): string {
  return `${operation} ${resource.plural}.${resource.group}/${resource.version} ${subresource}`
}
