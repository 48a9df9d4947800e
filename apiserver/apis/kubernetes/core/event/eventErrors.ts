import { invalidField, requiredField, type FieldError } from '../../../../meta/fieldErrors.ts'
import { qualifiedName } from '../../../fieldChecks.ts'
import { isTime, type EventObject } from './eventObject.ts'

const maxNoteBytes = 1024
const maxTextBytes = 128

/**
 * Errors common to both APIs of events. Events with an eventTime name their reporter; older ones
 * only have to be in the namespace of the object they are about. `controller` is the API's name for
 * the field of the reporting controller.
 * Source: observed answers.
 */
export function eventErrors(event: EventObject, controller: string): FieldError[] {
  const { eventTime, reportingComponent = '', message = '' } = event
  const errors = placeErrors(event)
  if (!isTime(eventTime)) return errors
  const tooLong = invalidField('message', '', `can have at most ${maxNoteBytes} characters`)
  return [
    ...errors,
    ...(reportingComponent === '' ? [requiredField(controller)] : []),
    ...qualifiedName(controller, reportingComponent),
    ...(['reportingInstance', 'action', 'reason'] as const).flatMap((field) =>
      textErrors(field, event[field] ?? ''),
    ),
    ...(Buffer.byteLength(message) > maxNoteBytes ? [tooLong] : []),
  ]
}

/**
 * Errors for the namespace: an event about a cluster-scoped object is in the namespace `default`
 * or, if it has an eventTime, also `kube-system`.
 */
function placeErrors({ involvedObject, metadata, eventTime }: EventObject): FieldError[] {
  const { namespace = '' } = involvedObject
  const isHome = metadata.namespace === 'default'
  const isNewer = isTime(eventTime)
  const fitsOlder = namespace === '' ? isHome : namespace === metadata.namespace
  const fitsNewer = namespace !== '' || isHome || metadata.namespace === 'kube-system'
  if (isNewer ? fitsNewer : fitsOlder) return []
  return [invalidField('involvedObject.namespace', namespace, 'does not match event.namespace')]
}

function textErrors(field: string, value: string): FieldError[] {
  if (value === '') return [requiredField(field)]
  if (Buffer.byteLength(value) <= maxTextBytes) return []
  return [invalidField(field, '', `can have at most ${maxTextBytes} characters`)]
}
