import type { ApiObject } from '../../apiserver/meta/types.ts'
import type { PlaneResource } from '../client/planeClient.ts'
import type { Changes } from '../engine/changes.ts'
import type { Markers } from '../names/markers.ts'
import type { Naming, ObjectName } from '../names/naming.ts'

/** What is known of the two planes when an object is translated. */
export interface Translation {
  naming: Naming
  marks: Markers
}

/** Two objects that belong together, and what they were when they last agreed. */
export interface Pair {
  virtual: ApiObject
  host: ApiObject
  base: { virtual: ApiObject; host: ApiObject } | undefined
}

/** How objects of a kind are synced, as data: what the engine does not know by itself. */
export interface KindRules {
  resource: PlaneResource
  /** Annotations that stay where they are. */
  isExcluded(annotation: string): boolean
  /** The fields besides metadata that the host's copy is made with. */
  hostFields(virtual: ApiObject, translation: Translation): Record<string, unknown>
  /** Changes of those fields. */
  fieldChanges(pair: Pair, translation: Translation): { toHost: Changes; toVirtual: Changes }
  /** The `status` that the virtual object is to have; undefined: as it is. */
  virtualStatus?(pair: Pair): unknown
  /** The virtual object that is to be made anew in place of the one there; undefined: that one is right. */
  recreated?(pair: Pair): ApiObject | undefined
  place(name: ObjectName, naming: Naming): ObjectName | undefined
}
