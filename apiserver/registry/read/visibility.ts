import type { ObjectName } from '../storeTypes.ts'

/** Whether whoever asks for a list sees an object. `state` stands for the state of the object and for no other: what was
 *  decided may be remembered by it. It must not throw. */
export type Shows = (object: ObjectName, state: object) => boolean

/** What a watch shows of a resource to whoever asked for it, for as long as that does not change. */
export interface View {
  /** Equal for the views that show the same. */
  key: string
  /** Whether an object is shown in a state of it, which need not be the newest. */
  shows(object: ObjectName, state: ObjectState): boolean
  /** The same of its newest state. */
  showsNow(object: ObjectName): boolean
  /** Whether a state was shown of which the deletion at `revision` is told. */
  showed(object: ObjectName, state: ObjectState, revision: number): boolean
  /** Whether a change of an object takes it from the view, though the roles that say so are still to be written. */
  takes(before: ObjectState, after: ObjectState): boolean
  /** Whether it shows today what it showed when it was made, and at `revision`, where one is given. */
  holds(revision?: number): boolean
  /** It is needed no more. */
  close(): void
}

/** The encoded object. */
export interface ObjectState {
  readonly bytes: Buffer
}
