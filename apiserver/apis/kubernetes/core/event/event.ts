import type { FieldError } from '../../../../meta/fieldErrors.ts'
import type { ApiObject } from '../../../../meta/types.ts'
import type { ResourceDefinition } from '../../../../registry/resource.ts'
import { refusedLabel } from '../../fieldLabels.ts'
import { builtInKind, type KindContext } from '../../builtInKind.ts'
import { eventColumns } from './eventColumns.ts'
import { eventErrors } from './eventErrors.ts'
import { asEvent, sourceOf } from './eventObject.ts'

/** Definition of the Event kind. Source: Kubernetes API reference, Event v1. */
export function eventResource({ types }: KindContext): ResourceDefinition {
  return builtInKind(types, {
    group: '',
    version: 'v1',
    plural: 'events',
    kind: 'Event',
    namespaced: true,
    shortNames: ['ev'],
    description: 'Event reports something that happened in the cluster.',
    strategy: {
      generation: 'none',
      nameRule: 'pathSegment',
      metadata: { reportedFirst: false, qualifiedFinalizers: false },
      allowCreateOnUpdate: true,
      validate: coreEventErrors,
      validateUpdate: coreEventErrors,
    },
    refusedField: refusedLabel,
    selectableFields: {
      'involvedObject.kind': (object) => asEvent(object).involvedObject.kind ?? '',
      'involvedObject.namespace': (object) => asEvent(object).involvedObject.namespace ?? '',
      'involvedObject.name': (object) => asEvent(object).involvedObject.name ?? '',
      'involvedObject.uid': (object) => asEvent(object).involvedObject.uid ?? '',
      'involvedObject.apiVersion': (object) => asEvent(object).involvedObject.apiVersion ?? '',
      'involvedObject.resourceVersion': (object) =>
        asEvent(object).involvedObject.resourceVersion ?? '',
      'involvedObject.fieldPath': (object) => asEvent(object).involvedObject.fieldPath ?? '',
      reason: (object) => asEvent(object).reason ?? '',
      reportingComponent: (object) => asEvent(object).reportingComponent ?? '',
      source: (object) => sourceOf(asEvent(object)),
      type: (object) => asEvent(object).type ?? '',
    },
    columns: eventColumns,
  })
}

/**
 * Errors for an event. Names only have to be valid path segments, since recorders derive them from
 * the names of objects of any kind.
 */
function coreEventErrors(object: ApiObject): FieldError[] {
  return eventErrors(asEvent(object), 'reportingComponent')
}
