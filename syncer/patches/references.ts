import type { ObjectName } from '../names/naming.ts'

/** An object that a value names. */
export interface ObjectReference extends ObjectName {
  apiVersion: string
  kind: string
}

/** Finds what a reference is called on the other side, and brings along what it names.
 *  Source: platform facts 6.6. */
export interface References {
  /** Undefined: it cannot be named there, and the value stays as it is. */
  toHost(reference: ObjectReference): Promise<ObjectName | undefined>
  /** `virtualNamespace` is where an object of the host would be imported to. */
  toVirtual(reference: ObjectReference, virtualNamespace: string): Promise<ObjectName | undefined>
}
