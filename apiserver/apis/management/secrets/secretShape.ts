import type { FieldError } from '../../../meta/fieldErrors.ts'
import type { NamesProfile } from '../../../meta/names/namesProfile.ts'
import type { Schema } from '../../../meta/schema.ts'
import type { ApiObject } from '../../../meta/types.ts'
import type { Column } from '../../../registry/resource.ts'
import { ageColumn, nameColumn } from '../../../registry/table.ts'
import { textColumn } from '../../columns.ts'
import { dataIn, dataKeyErrors, type DataMap } from '../../kubernetes/core/configData.ts'
import { mapOf, secret, struct, string } from '../../schema.ts'
import { accessErrors } from '../accessRules.ts'
import { accessSchema, conditionsSchema, ownerSchema } from '../sharedShapes.ts'

/**
 * Common parts of shared secrets and project secrets. Source: specification, "SharedSecret"; platform facts 1.2 and
 * 3.3.
 */

export function secretFields(names: NamesProfile): Readonly<Record<string, Schema>> {
  const spec = {
    displayName: string('Name shown in the UI.'),
    description: string('Describes the secret.'),
    owner: ownerSchema(names),
    data: secret(
      mapOf(
        { type: 'string', format: 'byte', canonical: 'bytes' },
        "The secret data. Each key consists of alphanumerics, '-', '_' or '.'; each value is the base64 form of arbitrary data.",
      ),
    ),
    access: accessSchema(names),
  }
  return {
    spec: struct(spec, 'Desired state of the secret.'),
    status: struct({ conditions: conditionsSchema(names) }, 'Observed state of the secret.'),
  }
}

export const secretColumns: readonly Column[] = [
  nameColumn,
  textColumn('Display Name', 'spec.displayName', 'Name shown in the UI.'),
  {
    name: 'Data',
    type: 'integer',
    description: 'Number of keys in the secret.',
    cell: (object) => Object.keys(secretData(object)).length,
  },
  { ...textColumn('Description', 'spec.description', 'Describes the secret.'), priority: 1 },
  ageColumn,
]

/** The data: values in base64, by key. */
export function secretData(object: ApiObject): DataMap {
  // Guaranteed by the schema.
  return dataIn((object['spec'] ?? {}) as Record<string, unknown>, 'data')
}

export function secretErrors(object: ApiObject): FieldError[] {
  const keys = Object.keys(secretData(object))
  return [...keys.flatMap((key) => dataKeyErrors('spec.data', key)), ...accessErrors(object)]
}
