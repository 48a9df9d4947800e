import type { ObjectName } from '../names/naming.ts'

/** An object referenced by a value. */
export interface ObjectReference extends ObjectName {
  apiVersion: string
  kind: string
}

/**
 * Translates references, and syncs the referenced objects.
 * Source: platform facts 6.6.
 */
export interface References {
  /** The name on the host; undefined: it has none, and the value is unchanged. */
  toHost(reference: ObjectReference): Promise<ObjectName | undefined>
  /** The name in the virtual cluster. `virtualNamespace` is where a host object would be imported. */
  toVirtual(reference: ObjectReference, virtualNamespace: string): Promise<ObjectName | undefined>
}
