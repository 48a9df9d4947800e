import type { NamesProfile } from '../../../meta/names/namesProfile.ts'
import type { ResourceDefinition } from '../../../registry/resource.ts'
import { storedKind } from '../managementKind.ts'
import { fillOwner } from '../fillOwner.ts'
import { secretColumns, secretErrors, secretFields } from './secretShape.ts'

/** Sensitive data that can be shared across users, teams and clusters.
 *  Source: specification, "SharedSecret"; platform facts 1.2. */
export function sharedSecretResource(names: NamesProfile): ResourceDefinition {
  const kind = storedKind({
    names,
    kind: 'SharedSecret',
    plural: 'sharedsecrets',
    namespaced: true,
    description:
      'SharedSecret holds sensitive data that can be shared across users, teams and clusters.',
    fields: secretFields(names),
  })
  const rules = {
    prepareForCreate: fillOwner,
    validate: secretErrors,
    validateUpdate: secretErrors,
  }
  return { ...kind, strategy: { ...kind.strategy, ...rules }, columns: secretColumns }
}
