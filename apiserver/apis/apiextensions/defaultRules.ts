import { invalidField, type FieldError } from '../../meta/fieldErrors.ts'
import { isObject } from '../../meta/isObject.ts'
import { canonicalForm } from '../../registry/canonicalForm.ts'
import { customDialect } from '../../registry/schemaDialect.ts'
import { walkedCheck } from '../../registry/schemaValidator.ts'
import type { JsonSchemaProps } from '../../customResources/definition.ts'
import { listTypeErrors } from '../../customResources/listTypes.ts'
import { structuralSchema } from '../../customResources/structuralSchema.ts'
import { propertyPath } from './structuralRules.ts'

/** Defaults that their own schema would prune or refuse. The schema is structural.
 *  Source: apiextensions, validation of defaults. */
export function defaultErrors(props: JsonSchemaProps, path: string): FieldError[] {
  const { items, properties = {} } = props
  return [
    ...ownErrors(props, `${path}.default`),
    ...(isObject(items) ? defaultErrors(items, `${path}.items`) : []),
    ...Object.entries(properties).flatMap(([name, one]) =>
      defaultErrors(one, propertyPath(path, name)),
    ),
  ]
}

function ownErrors(props: JsonSchemaProps, path: string): FieldError[] {
  const { default: value } = props
  if (value === undefined) return []
  const schema = structuralSchema(props)
  const { unknownFields } = canonicalForm(value, schema)
  if (unknownFields.length > 0) return [invalidField(path, value, 'must not have unknown fields')]
  const wrong = walkedCheck(schema, customDialect)(value).map((error) => below(error, path))
  return [...wrong, ...listTypeErrors(value, schema, path)]
}

/** An error of a value that stands somewhere. */
function below({ field, message, reason }: FieldError, path: string): FieldError {
  const at = field === '<nil>' ? path : `${path}.${field}`
  return { reason, field: at, message: message.replace(`${field} in body`, `${at} in body`) }
}
