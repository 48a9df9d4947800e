import type { ObjectName } from '../storeTypes.ts'

/**
 * Reports whether the user of a list may see an object. `state` identifies the state of the object, so decisions may
 * be cached by it. It must not throw.
 */
export type Shows = (object: ObjectName, state: object) => boolean

/** The visible objects of a resource for a watch, as long as the rights are unchanged. */
export interface View {
  /** Key that is equal for views that show the same objects. */
  key: string
  /** Reports whether an object is visible in a state, which need not be the newest. */
  shows(object: ObjectName, state: ObjectState): boolean
  /** Reports whether the newest state of an object is visible. */
  showsNow(object: ObjectName): boolean
  /** Reports whether an object was visible before its deletion at `revision`. */
  showed(object: ObjectName, state: ObjectState, revision: number): boolean
  /**
   * Reports whether a change of an object removes it from the view, even if the roles that follow from it are not
   * written yet.
   */
  takes(before: ObjectState, after: ObjectState): boolean
  /** Reports whether the view is unchanged since it was created and, if given, since `revision`. */
  holds(revision?: number): boolean
  /** Releases the view. */
  close(): void
}

/** The encoded object. */
export interface ObjectState {
  readonly bytes: Buffer
}
