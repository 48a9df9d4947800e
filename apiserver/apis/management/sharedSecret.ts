import type { FieldError } from '../../meta/fieldErrors.ts'
import { managementGroup, type NamesProfile } from '../../meta/namesProfile.ts'
import type { ApiObject } from '../../meta/types.ts'
import type { ResourceDefinition } from '../../registry/resource.ts'
import { ageColumn, nameColumn } from '../../registry/table.ts'
import { textColumn } from '../columns.ts'
import { definitionName, mapOf, struct, text } from '../schema.ts'
import { dataKeyErrors } from '../core/configData.ts'
import { accessErrors } from './accessRules.ts'
import { accessSchema, conditionsSchema, ownerSchema } from './sharedShapes.ts'

/** Sensitive data that can be shared across users, teams and clusters.
 *  Source: specification, "SharedSecret"; platform facts 1.2. */
export function sharedSecretResource(names: NamesProfile): ResourceDefinition {
  const group = managementGroup(names)
  return {
    group,
    version: 'v1',
    plural: 'sharedsecrets',
    singular: 'sharedsecret',
    kind: 'SharedSecret',
    namespaced: true,
    verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
    schema: struct(
      {
        spec: struct(
          {
            displayName: text('Name shown in the UI.'),
            description: text('Describes the secret.'),
            owner: ownerSchema(names),
            data: mapOf(
              { type: 'string', format: 'byte' },
              "The secret data. Each key consists of alphanumerics, '-', '_' or '.'; each value is the base64 form of arbitrary data.",
            ),
            access: accessSchema(names),
          },
          'What the secret should be.',
        ),
        status: struct({ conditions: conditionsSchema(names) }, 'What the secret is.'),
      },
      'SharedSecret holds sensitive data that can be shared across users, teams and clusters.',
      { definition: definitionName(group, 'v1', 'SharedSecret') },
    ),
    strategy: {
      generation: 'specAndAnnotations',
      allowCreateOnUpdate: true,
      allowUnconditionalUpdate: true,
      validate: secretErrors,
      validateUpdate: secretErrors,
    },
    columns: [
      nameColumn,
      textColumn('Display Name', 'spec.displayName', 'Name shown in the UI.'),
      {
        name: 'Data',
        type: 'integer',
        description: 'How many keys the secret holds.',
        cell: (object) => Object.keys(dataOf(object)).length,
      },
      { ...textColumn('Description', 'spec.description', 'Describes the secret.'), priority: 1 },
      ageColumn,
    ],
  }
}

function secretErrors(object: ApiObject): FieldError[] {
  const keys = Object.keys(dataOf(object))
  return [...keys.flatMap((key) => dataKeyErrors('spec.data', key)), ...accessErrors(object)]
}

function dataOf(object: ApiObject): Record<string, string> {
  // The schema says that data is a map of texts.
  const spec = object['spec'] as { data?: Record<string, string> } | undefined
  return spec?.data ?? {}
}
