import type { AdmissionTarget } from '../registry/admission.ts'
import type { ResourceDefinition } from '../registry/resource.ts'

/** Remembers what was found for each kind, operation and subresource, until the generation changes. */
export class TargetCache<Found> {
  #found = new WeakMap<ResourceDefinition, Map<string, Found>>()
  #generation = -1

  get(target: AdmissionTarget, generation: number, find: () => Found): Found {
    if (this.#generation !== generation) {
      this.#generation = generation
      this.#found = new WeakMap()
    }
    const { kind, resource, operation, subresource } = target
    let ofKind = this.#found.get(kind)
    if (ofKind === undefined) this.#found.set(kind, (ofKind = new Map<string, Found>()))
    const key = `${operation} ${resource.plural}.${resource.group}/${resource.version} ${subresource}`
    const known = ofKind.get(key)
    if (known !== undefined || ofKind.has(key)) return known as Found // set below
    const found = find()
    ofKind.set(key, found)
    return found
  }
}
