import { jsonText } from '../meta/json/exactJson.ts'
import type { ResourceDefinition } from '../registry/resource.ts'
import type { ResourceSet } from '../registry/resourceSet.ts'
import type { Store } from '../registry/store.ts'
import type { ConversionCalls } from './conversion/conversionWebhook.ts'
import type { CelLibrary } from '../cel/library.ts'
import { customResources, type ScaleMaker } from './customResource.ts'
import type { DefinitionLife } from './customStrategy.ts'
import type { DefinitionNames, DefinitionSpec } from './definition.ts'

/** Parts of a plane needed to serve custom kinds. */
export interface ServingPlane {
  readonly resources: ResourceSet
  /** Resources for modification, which belong to this plane alone from then on. */
  ownResources(): ResourceSet
  storeOf(resource: ResourceDefinition): Store
  /** Stops serving a resource and ends its watches. */
  withdraw(resource: ResourceDefinition): void
}

export interface ServingOptions {
  plane: ServingPlane
  cel: CelLibrary
  scaleOf: ScaleMaker
  /** Dependencies of calls to conversion webhooks. */
  calls: ConversionCalls
}

/**
 * Kinds of one definition on a plane. A change of the definition replaces the kinds and ends their
 * watches, so that clients list again with the new schema.
 */
export class ServedDefinition {
  readonly group: string
  /** Accepted names. */
  names: Partial<DefinitionNames> = {}
  readonly life: DefinitionLife = { isTerminating: false }
  readonly #options: ServingOptions
  #madeOf = ''
  #served: readonly ResourceDefinition[] = []
  #stored: ResourceDefinition | undefined

  constructor(group: string, options: ServingOptions) {
    this.group = group
    this.#options = options
  }

  /**
   * Serves the kinds within the caller's turn. @throws Error for a rule that cannot be compiled.
   */
  serve(spec: DefinitionSpec, names: DefinitionNames): void {
    const madeOf = jsonText([spec, names])
    if (madeOf === this.#madeOf) return
    const { plane, ...shared } = this.#options
    const { stored, served } = customResources({ ...shared, spec, names, life: this.life })
    this.withdraw()
    for (const resource of served) plane.ownResources().add(resource)
    this.#served = served
    this.#stored = stored
    this.#madeOf = madeOf
  }

  withdraw(): void {
    const { plane } = this.#options
    for (const resource of this.#served) plane.withdraw(resource)
    if (this.#stored !== undefined) plane.withdraw(this.#stored)
    if (this.#stored?.unconverted !== undefined) plane.withdraw(this.#stored.unconverted)
    this.#served = []
    this.#stored = undefined
    this.#madeOf = ''
  }

  /**
   * Store of the objects in their stored form, even if no version is served; undefined: the
   * definition was never served.
   */
  store(): Store | undefined {
    const { plane } = this.#options
    return this.#stored && plane.storeOf(this.#stored.unconverted ?? this.#stored)
  }
}
