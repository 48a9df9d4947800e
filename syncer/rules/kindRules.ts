import type { ApiObject } from '../../apiserver/meta/types.ts'
import type { PlaneResource } from '../client/planeClient.ts'
import type { Changes } from '../engine/changes.ts'
import type { Markers } from '../names/markers.ts'
import type { Naming, ObjectName } from '../names/naming.ts'

/** Context for translating objects between the planes. */
export interface Translation {
  naming: Naming
  marks: Markers
}

/** A virtual object and its host copy, and their last agreed state. */
export interface Pair {
  virtual: ApiObject
  host: ApiObject
  base: { virtual: ApiObject; host: ApiObject } | undefined
}

/** Rules for syncing objects of a kind, as data for the engine. */
export interface KindRules {
  resource: PlaneResource
  /** Reports whether an annotation is excluded from copies. */
  isExcluded(annotation: string): boolean
  /** The fields of a new host copy besides metadata. */
  hostFields(virtual: ApiObject, translation: Translation): Record<string, unknown>
  /** Changes of the fields in `hostFields`. */
  fieldChanges(pair: Pair, translation: Translation): { toHost: Changes; toVirtual: Changes }
  /** The desired `status` of the virtual object; undefined: unchanged. */
  virtualStatus?(pair: Pair): unknown
  /** The virtual object to recreate the existing one as; undefined: no recreation is needed. */
  recreated?(pair: Pair): ApiObject | undefined
  place(name: ObjectName, naming: Naming): ObjectName | undefined
}
