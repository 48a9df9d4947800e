import { invalidField, type FieldError } from '../../../meta/fieldErrors.ts'
import { isObject } from '../../../meta/json/isObject.ts'
import { canonicalForm } from '../../../registry/schema/canonicalForm.ts'
import { customDialect } from '../../../registry/schema/schemaDialect.ts'
import { walkedCheck } from '../../../registry/schema/schemaValidator.ts'
import type { Schema } from '../../../meta/schema.ts'
import type { CelLibrary } from '../../../cel/library.ts'
import type { JsonSchemaProps, ValidationRule } from '../../../meta/jsonSchemaProps.ts'
import { mentionsRules, ruleFindings, schemaRules } from '../../../customResources/schemaRules.ts'
import { structuralSchema } from '../../../customResources/structuralSchema.ts'
import { propertyPath } from './structuralRules.ts'

/**
 * Errors for defaults that the schema itself would prune or refuse. The schema is structural.
 * Source: apiextensions, validation of defaults.
 */
export function defaultErrors(props: JsonSchemaProps, cel: CelLibrary, path: string): FieldError[] {
  return [
    ...ownErrors({ ...props, 'x-kubernetes-embedded-resource': true }, cel, path),
    ...errorsBelow(props, cel, path),
  ]
}

function errorsBelow(props: JsonSchemaProps, cel: CelLibrary, path: string): FieldError[] {
  const { items, properties = {} } = props
  const both = (one: JsonSchemaProps, at: string) => [
    ...ownErrors(one, cel, at),
    ...errorsBelow(one, cel, at),
  ]
  return [
    ...(isObject(items) ? both(items, `${path}.items`) : []),
    ...Object.entries(properties).flatMap(([name, one]) => both(one, propertyPath(path, name))),
  ]
}

function ownErrors(props: JsonSchemaProps, cel: CelLibrary, at: string): FieldError[] {
  const { default: value } = props
  if (value === undefined) return []
  const path = `${at}.default`
  const schema = structuralSchema(props, 'defaults')
  const { unknownFields } = canonicalForm(value, schema)
  if (unknownFields.length > 0) return [invalidField(path, value, 'must not have unknown fields')]
  const wrong = walkedCheck(schema, customDialect)(value).map((error) => below(error, path))
  return wrong.length > 0 ? wrong : brokenRules({ props, schema, value, path }, cel)
}

/** Errors for nested rules that cannot be parsed, each at its own path. */
function brokenRules(
  {
    props,
    schema,
    value,
    path,
  }: { props: JsonSchemaProps; schema: Schema; value: unknown; path: string },
  cel: CelLibrary,
): FieldError[] {
  if (!mentionsRules(props)) return []
  try {
    const rules = schemaRules(props, schema, cel)
    return rules === undefined ? [] : ruleFindings(rules, { value, old: undefined, path }).errors
  } catch {
    return (props['x-kubernetes-validations'] ?? []).flatMap((rule) => {
      const why = compileError(rule, cel)
      return why === undefined ? [] : [invalidField(path, props.type ?? '', why)]
    })
  }
}

/** Error for a rule; undefined: the rule can be parsed, or is empty. */
function compileError(rule: ValidationRule, cel: CelLibrary): string | undefined {
  if (rule.rule.trim() === '') return undefined
  try {
    cel.compile(rule)
    return undefined
  } catch (error) {
    return `rule compile error: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** Moves an error below a path. */
function below({ field, message, reason }: FieldError, path: string): FieldError {
  const at = field === '<nil>' ? path : `${path}.${field}`
  return { reason, field: at, message: message.replace(/<nil>(?= (in body|must be positive))/, '') }
}
