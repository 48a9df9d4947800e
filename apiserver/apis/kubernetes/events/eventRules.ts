import { invalidField, requiredField, type FieldError } from '../../../meta/fieldErrors.ts'
import type { ApiObject } from '../../../meta/types.ts'
import {
  qualifiedFinalizerErrors,
  validateMetadata,
} from '../../../registry/write/metadataValidation.ts'
import { eventErrors } from '../core/event/eventErrors.ts'
import { asEvent, isTime, type EventObject } from '../core/event/eventObject.ts'
import { unchanged } from '../../fieldChecks.ts'

const controller = 'reportingController'

/**
 * Errors for an event in the newer API, for its stored form: paths contain the older field names,
 * except that of the controller. Source: observed answers.
 */
export function newEventErrors(object: ApiObject): FieldError[] {
  const event = asEvent(object)
  const { type = '', eventTime, source } = event
  const isFrom = (source?.component ?? '') !== '' || (source?.host ?? '') !== ''
  const unset: [string, boolean][] = [
    ['firstTimestamp', isTime(event.firstTimestamp)],
    ['lastTimestamp', isTime(event.lastTimestamp)],
    ['count', (event.count ?? 0) !== 0],
    ['source', isFrom],
  ]
  return [
    ...eventErrors(event, controller),
    // Names are only validated on creation, since the older API accepts any.
    ...validateMetadata(object.metadata, { namespaced: true, nameRule: 'subdomain' }),
    ...qualifiedFinalizerErrors(object.metadata),
    ...seriesErrors(event),
    ...(isTime(eventTime) ? [] : [requiredField('eventTime')]),
    ...(type === 'Normal' || type === 'Warning'
      ? []
      : [invalidField('type', '', `has invalid value: ${type}`)]),
    ...unset.flatMap(([field, isSet]) =>
      isSet ? [invalidField(field, '', 'needs to be unset')] : [],
    ),
  ]
}

function seriesErrors({ series }: EventObject): FieldError[] {
  if (series === undefined) return []
  return [
    ...((series.count ?? 0) < 2 ? [invalidField('series.count', '', 'should be at least 2')] : []),
    ...(isTime(series.lastObservedTime) ? [] : [requiredField('series.lastObservedTime')]),
  ]
}

const fixed = [
  'involvedObject',
  'reason',
  'message',
  'source',
  'firstTimestamp',
  'lastTimestamp',
  'count',
  'type',
  'eventTime',
  'action',
  'related',
] as const

const texts: readonly string[] = ['reason', 'message', 'type', 'action']

/** Value of a field; an absent string is empty. */
function shownValue(event: ApiObject, field: string): unknown {
  return event[field] ?? (texts.includes(field) ? '' : undefined)
}

/** Errors for changes: only the series of an event may change. */
export function eventChangeErrors(next: ApiObject, old: ApiObject): FieldError[] {
  const [after, before] = [asEvent(next), asEvent(old)]
  const isNewSeries = unchanged('series', after.series, before.series).length > 0
  return [
    ...eventErrors(after, controller),
    ...qualifiedFinalizerErrors(next.metadata),
    ...(isNewSeries ? seriesErrors(after) : []),
    ...fixed.flatMap((field) => unchanged(field, shownValue(next, field), shownValue(old, field))),
    ...unchanged(controller, after.reportingComponent ?? '', before.reportingComponent ?? ''),
    ...unchanged(
      'reportingInstance',
      after.reportingInstance ?? '',
      before.reportingInstance ?? '',
    ),
  ]
}
