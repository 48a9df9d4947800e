import type { Allowance } from '../../../meta/collections/allowance.ts'
import { invalidField, type FieldError } from '../../../meta/fieldErrors.ts'
import { isObject } from '../../../meta/json/isObject.ts'
import { messageOf } from '../../../meta/messageOf.ts'
import { canonicalForm } from '../../../registry/schema/canonicalForm.ts'
import { customDialect } from '../../../registry/schema/schemaDialect.ts'
import { walkedCheck } from '../../../registry/schema/schemaValidator.ts'
import { branchAllowance } from '../../../registry/schema/schemaWalk.ts'
import type { Schema } from '../../../meta/schema.ts'
import type { CelLibrary } from '../../../cel/library.ts'
import type { JsonSchemaProps, ValidationRule } from '../../../meta/jsonSchemaProps.ts'
import {
  ruleAllowance,
  ruleFindings,
  schemaRules,
  type KnownRules,
} from '../../../customResources/schemaRules.ts'
import { structuralSchema } from '../../../customResources/structuralSchema.ts'
import { propertyPath } from './structuralRules.ts'

/** Work that the validation of all defaults of a definition may take. */
export interface DefaultLimits {
  /** Checks in branches of schemas. */
  branches: Allowance
  /** Cost of rules. */
  rules: Allowance
}

/** The limits of one object, which the defaults of a definition share. */
export function defaultLimits(): DefaultLimits {
  return { branches: branchAllowance(), rules: ruleAllowance() }
}

interface Reader {
  cel: CelLibrary
  limits: DefaultLimits
  /** Rules of schemas around others are compiled once. */
  known: KnownRules
}

/**
 * Errors for defaults that the schema itself would prune or refuse. The schema is structural.
 * @throws StatusError 413 before the defaults need more checks in branches than one object may.
 * Source: apiextensions, validation of defaults.
 */
export function defaultErrors(
  props: JsonSchemaProps,
  { cel, limits }: Pick<Reader, 'cel' | 'limits'>,
  path: string,
): FieldError[] {
  const reader = { cel, limits, known: new Map() }
  return [
    ...ownErrors({ ...props, 'x-kubernetes-embedded-resource': true }, reader, path),
    ...errorsBelow(props, reader, path),
  ]
}

function errorsBelow(props: JsonSchemaProps, reader: Reader, path: string): FieldError[] {
  const { items, properties = {} } = props
  const both = (one: JsonSchemaProps, at: string) => [
    ...ownErrors(one, reader, at),
    ...errorsBelow(one, reader, at),
  ]
  return [
    ...(isObject(items) ? both(items, `${path}.items`) : []),
    ...Object.entries(properties).flatMap(([name, one]) => both(one, propertyPath(path, name))),
  ]
}

function ownErrors(props: JsonSchemaProps, reader: Reader, at: string): FieldError[] {
  const { default: value } = props
  if (value === undefined) return []
  const path = `${at}.default`
  const schema = structuralSchema(props, 'defaults')
  const { unknownFields } = canonicalForm(value, schema)
  if (unknownFields.length > 0) return [invalidField(path, value, 'must not have unknown fields')]
  const check = walkedCheck(schema, customDialect, reader.limits.branches)
  const wrong = check(value).map((error) => below(error, path))
  return wrong.length > 0 ? wrong : brokenRules({ props, schema, value, path }, reader)
}

/** Errors for nested rules that cannot be parsed, each at its own path. */
function brokenRules(
  {
    props,
    schema,
    value,
    path,
  }: { props: JsonSchemaProps; schema: Schema; value: unknown; path: string },
  { cel, limits, known }: Reader,
): FieldError[] {
  try {
    const rules = schemaRules(props, schema, cel, known)
    if (rules === undefined) return []
    return ruleFindings(rules, { value, old: undefined, path }, limits.rules).errors
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
    return `rule compile error: ${messageOf(error)}`
  }
}

/** Moves an error below a path. */
function below({ field, message, reason }: FieldError, path: string): FieldError {
  const at = field === '<nil>' ? path : `${path}.${field}`
  return { reason, field: at, message: message.replace(/<nil>(?= (in body|must be positive))/, '') }
}
