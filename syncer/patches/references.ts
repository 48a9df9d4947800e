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
  /** Name on the host; undefined: none, and the value is unchanged. */
  toHost(reference: ObjectReference): Promise<ObjectName | undefined>
  /** Name in the virtual cluster. `virtualNamespace` is the namespace to which a host object would be imported. */
  toVirtual(reference: ObjectReference, virtualNamespace: string): Promise<ObjectName | undefined>
}
