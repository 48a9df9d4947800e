import type { ApiObject } from '../../../../meta/types.ts'
import type { ObjectReference } from '../../shapes/coreV1.ts'

export interface EventObject extends ApiObject {
  involvedObject: ObjectReference
  reason?: string
  message?: string
  type?: string
  source?: { component?: string; host?: string }
  count?: number
  firstTimestamp?: string | null
  lastTimestamp?: string | null
  eventTime?: string | null
  series?: { count?: number; lastObservedTime?: string | null }
  reportingComponent?: string
  reportingInstance?: string
  action?: string
}

export function asEvent(object: ApiObject): EventObject {
  // Guaranteed by the schema.
  return object as EventObject
}

/** Reporting component, from either field. */
export function sourceOf({ source, reportingComponent = '' }: EventObject): string {
  const component = source?.component ?? ''
  return component === '' ? reportingComponent : component
}

export function isTime(time: string | null | undefined): time is string {
  return time !== null && time !== undefined
}
