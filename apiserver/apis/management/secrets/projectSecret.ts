import type { FieldError } from '../../../meta/fieldErrors.ts'
import type { NamesProfile } from '../../../meta/names/namesProfile.ts'
import type { ApiObject } from '../../../meta/types.ts'
import type { ResourceDefinition } from '../../../registry/resource.ts'
import { sizeErrors, sizeOf } from '../../kubernetes/core/configData.ts'
import { storedKind } from '../managementKind.ts'
import { fillOwner } from '../fillOwner.ts'
import { secretColumns, secretData, secretErrors, secretFields } from './secretShape.ts'

/** Sensitive data of one project. Source: platform facts 3.3. */
export function projectSecretResource(names: NamesProfile): ResourceDefinition {
  const kind = storedKind({
    names,
    kind: 'ProjectSecret',
    plural: 'projectsecrets',
    namespaced: true,
    description: 'ProjectSecret holds sensitive data that the users of a project share.',
    fields: secretFields(names),
  })
  const rules = {
    prepareForCreate: fillOwner,
    validate: projectSecretErrors,
    validateUpdate: projectSecretErrors,
  }
  return { ...kind, strategy: { ...kind.strategy, ...rules }, columns: secretColumns }
}

/** Validates a project secret: its data must fit into the core Secret that workloads receive. */
function projectSecretErrors(object: ApiObject): FieldError[] {
  const values = Object.values(secretData(object))
  return [...secretErrors(object), ...sizeErrors('spec.data', sizeOf(values, true))]
}
