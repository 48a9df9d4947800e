import { forbiddenField, requiredField, type FieldError } from '../../../meta/fieldErrors.ts'
import type { ApiObject } from '../../../meta/types.ts'
import type { ResourceDefinition } from '../../../registry/resource.ts'
import { ageColumn, nameColumn } from '../../../registry/table.ts'
import { textColumn } from '../../columns.ts'
import { errorIf, isSame } from '../../fieldChecks.ts'
import { builtInKind, type KindContext } from '../builtInKind.ts'
import { parameterErrors, provisionerErrors } from './classRules.ts'

interface AttributesClass extends ApiObject {
  driverName?: string
  parameters?: Record<string, string>
}

/**
 * Definition of the VolumeAttributesClass kind. Source: Kubernetes API reference, VolumeAttributesClass v1; seen on
 * kube-apiserver 1.37.2.
 */
export function volumeAttributesClassResource({ types }: KindContext): ResourceDefinition {
  return builtInKind(types, {
    group: 'storage.k8s.io',
    version: 'v1',
    plural: 'volumeattributesclasses',
    kind: 'VolumeAttributesClass',
    namespaced: false,
    shortNames: ['vac'],
    description:
      'VolumeAttributesClass describes attributes of volumes that can change during use.',
    strategy: {
      generation: 'none',
      deletion: { returnsObject: true },
      validate: classErrors,
      validateChanges: changeErrors,
      validateUpdate: classErrors,
    },
    columns: [
      nameColumn,
      textColumn('DriverName', 'driverName', 'Driver of the volumes.'),
      ageColumn,
    ],
  })
}

function asClass(object: ApiObject): AttributesClass {
  // Guaranteed by the schema.
  return object
}

function classErrors(object: ApiObject): FieldError[] {
  const { driverName = '', parameters = {} } = asClass(object)
  return [
    ...provisionerErrors('driverName', driverName),
    ...parameterErrors('parameters', parameters),
    ...errorIf(Object.keys(parameters).length === 0, () =>
      requiredField('parameters', 'must contain at least one key/value pair'),
    ),
  ]
}

function changeErrors(next: ApiObject, old: ApiObject): FieldError[] {
  const [after, before] = [asClass(next), asClass(old)]
  return [
    ...errorIf(after.driverName !== before.driverName, () =>
      forbiddenField('driverName', 'updates to driverName are forbidden.'),
    ),
    ...errorIf(!isSame(after.parameters, before.parameters), () =>
      forbiddenField('parameters', 'updates to parameters are forbidden.'),
    ),
  ]
}
