import { invalidField, requiredField, type FieldError } from '../../meta/fieldErrors.ts'
import type { ApiObject } from '../../meta/types.ts'
import { asEvent, type EventObject } from '../core/eventObject.ts'
import { qualifiedName, unchanged } from '../fieldChecks.ts'

/** The rules of an event as the newer API has them, on its stored form: the fields have their older names in paths, but for
 *  that of the controller. Source: observed answers. */
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
    ...anyEventErrors(event),
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

function isTime(time: string | null | undefined): boolean {
  return time !== null && time !== undefined
}

function seriesErrors({ series }: EventObject): FieldError[] {
  if (series === undefined) return []
  return [
    ...((series.count ?? 0) < 2 ? [invalidField('series.count', '', 'should be at least 2')] : []),
    ...(isTime(series.lastObservedTime) ? [] : [requiredField('series.lastObservedTime')]),
  ]
}

const maxNoteBytes = 1024
const maxTextBytes = 128

/** Events with a time of their own say who saw what. */
function anyEventErrors(event: EventObject): FieldError[] {
  const { involvedObject, metadata, eventTime, reportingComponent = '', message = '' } = event
  const { namespace = '' } = involvedObject
  const wrongPlace = invalidField(
    'involvedObject.namespace',
    namespace,
    'does not match event.namespace',
  )
  const isHome = metadata.namespace === 'default'
  if (!isTime(eventTime)) {
    const fits = namespace === '' ? isHome : namespace === metadata.namespace
    return fits ? [] : [wrongPlace]
  }
  const fits = namespace !== '' || isHome || metadata.namespace === 'kube-system'
  const tooLong = invalidField('message', '', `can have at most ${maxNoteBytes} characters`)
  return [
    ...(fits ? [] : [wrongPlace]),
    ...(reportingComponent === '' ? [requiredField('reportingController')] : []),
    ...qualifiedName('reportingController', reportingComponent),
    ...(['reportingInstance', 'action', 'reason'] as const).flatMap((field) =>
      textErrors(field, event[field] ?? ''),
    ),
    ...(Buffer.byteLength(message) > maxNoteBytes ? [tooLong] : []),
  ]
}

function textErrors(field: string, value: string): FieldError[] {
  if (value === '') return [requiredField(field)]
  if (Buffer.byteLength(value) <= maxTextBytes) return []
  return [invalidField(field, '', `can have at most ${maxTextBytes} characters`)]
}

const fixed = [
  'involvedObject',
  'reason',
  'message',
  'source',
  'firstTimestamp',
  'lastTimestamp',
  'count',
  'reason',
  'type',
  'eventTime',
  'action',
  'related',
] as const

/** Only the series of an event goes on. */
export function eventChangeErrors(next: ApiObject, old: ApiObject): FieldError[] {
  const [after, before] = [asEvent(next), asEvent(old)]
  const isNewSeries = unchanged('series', after.series, before.series).length > 0
  return [
    ...anyEventErrors(after),
    ...(isNewSeries ? seriesErrors(after) : []),
    ...fixed.flatMap((field) => unchanged(field, next[field], old[field])),
    ...unchanged('reportingController', after.reportingComponent, before.reportingComponent),
    ...unchanged('reportingInstance', after.reportingInstance, before.reportingInstance),
  ]
}
