import type { ObjectName } from './storeTypes.ts'

/** Whether whoever asks for a list sees an object. `state` stands for the state of the object and for no other: what was
 *  decided may be remembered by it. It must not throw. */
export type Shows = (object: ObjectName, state: object) => boolean
