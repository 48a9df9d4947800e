import { invalidField, requiredField, type FieldError } from '../../../meta/fieldErrors.ts'
import { isObject } from '../../../meta/json/isObject.ts'
import type { ApiObject } from '../../../meta/types.ts'
import type { ResourceDefinition } from '../../../registry/resource.ts'
import { ageColumn, nameColumn } from '../../../registry/table.ts'
import { builtInKind, type KindContext } from '../builtInKind.ts'
import { asText, cellColumn, countColumn, valueAt } from '../../columns.ts'
import { isSame, notNegative } from '../../fieldChecks.ts'

/** Definition of the ControllerRevision kind. Source: Kubernetes API reference, ControllerRevision v1. */
export function controllerRevisionResource({ types }: KindContext): ResourceDefinition {
  return builtInKind(types, {
    group: 'apps',
    version: 'v1',
    plural: 'controllerrevisions',
    kind: 'ControllerRevision',
    namespaced: true,
    description: 'ControllerRevision is a snapshot of the state that a controller manages.',
    strategy: {
      generation: 'none',
      validate: (object) => [...revisionErrors(object), ...dataErrors(object['data'])],
      validateUpdate: (next, old) => [
        ...revisionErrors(next),
        ...dataChangeErrors(next['data'], old['data']),
      ],
    },
    columns: [
      nameColumn,
      cellColumn('Controller', 'Controller that owns the revision.', controllerText),
      asText(countColumn('Revision', 'revision', 'Revision number.')),
      ageColumn,
    ],
  })
}

function revisionErrors(object: ApiObject): FieldError[] {
  return notNegative('revision', Number(valueAt(object, 'revision') ?? 0))
}

/** Errors for changed data; the message shows the data as it was sent. */
function dataChangeErrors(next: unknown, old: unknown): FieldError[] {
  return isSame(next, old) ? [] : [invalidField('data', next, 'field is immutable')]
}

function dataErrors(data: unknown): FieldError[] {
  if (data === undefined || data === null) return [requiredField('data', 'data is mandatory')]
  return isObject(data) ? [] : [requiredField('data', 'data must be a valid JSON object')]
}

function controllerText({ metadata: { ownerReferences = [] } }: ApiObject): string {
  const owner = ownerReferences.find(({ controller }) => controller === true)
  if (owner === undefined) return '<none>'
  const [group = ''] = owner.apiVersion.includes('/') ? owner.apiVersion.split('/') : ['']
  const kind = owner.kind.toLowerCase()
  return `${group === '' ? kind : `${kind}.${group}`}/${owner.name}`
}
