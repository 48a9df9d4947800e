import type { FieldError } from '../meta/fieldErrors.ts'
import type { Schema } from '../meta/schema.ts'
import { goQuote } from '../meta/goQuote.ts'
import { forbidden } from '../meta/statusErrors.ts'
import type { ApiObject, GroupResource } from '../meta/types.ts'
import { keepMetadata } from '../registry/write/keepMetadata.ts'
import { isUsualFinalizer } from '../registry/write/metadataValidation.ts'
import { Correlated } from '../registry/schema/correlated.ts'
import { customDialect } from '../registry/schema/schemaDialect.ts'
import { walkedCheck } from '../registry/schema/schemaValidator.ts'
import { uncheckedRules } from '../registry/schema/uncheckedRules.ts'
import type { Strategy } from '../registry/strategy.ts'
import type { CelLibrary } from '../cel/library.ts'
import { defaulting } from './schemaDefaults.ts'
import { hasStatus, type DefinitionVersion } from './definition.ts'
import type { JsonSchemaProps } from '../meta/jsonSchemaProps.ts'
import { embeddedErrors } from './embeddedObjects.ts'
import { listTypeErrors } from './listTypes.ts'
import { scaleSpecErrors, scaleStatusErrors } from './scaleRules.ts'
import { ruleSteps, schemaRules, type SchemaRules } from './schemaRules.ts'
import { structuralSchema } from './structuralSchema.ts'

/** State shared by all objects of a definition. */
export interface DefinitionLife {
  /** True if creates are refused because the definition is being deleted. */
  isTerminating: boolean
}

export interface CustomStrategies {
  main: Strategy
  status: Strategy
  /** True if the schema has validation rules. */
  hasRules: boolean
}

/**
 * Strategies for the objects of a version. `schema` is the schema of the kind. @throws Error for a
 * rule that does not compile.
 */
export function customStrategies(
  version: DefinitionVersion,
  schema: Schema,
  { cel, life, subject }: { cel: CelLibrary; life: DefinitionLife; subject: GroupResource },
): CustomStrategies {
  const props = version.schema?.openAPIV3Schema ?? {}
  const rules = schemaRules(props, schema, cel)
  const validateAs = validation(props, schema, rules)
  const scale = version.subresources?.scale
  const main: Strategy = {
    metadata: { namesOnCreate: true, repeats: 'changes' },
    generation: hasStatus(version) ? 'spec' : 'content',
    resetsStatus: hasStatus(version),
    setDefaults: defaulting(schema).fill,
    prepareForCreate: ({ metadata }) => {
      if (life.isTerminating) throw forbidden(subject, metadata.name ?? '', terminating)
    },
    ...validateAs({
      schema: (found) => found,
      scale: (object) =>
        scale === undefined
          ? []
          : [...scaleSpecErrors(object, scale), ...scaleStatusErrors(object, scale)],
    }),
    foreignKindErrors: (object) => [
      ...embeddedErrors(object, schema),
      ...newRepeats(object, undefined, schema),
    ],
    warningsOnCreate: ({ metadata }) => finalizerWarnings(metadata.finalizers, []),
    warningsOnUpdate: (next, old) =>
      finalizerWarnings(next.metadata.finalizers, old.metadata.finalizers),
  }
  const status: Strategy = {
    resetsContent: true,
    prepareForUpdate: keepMetadata,
    ...validateAs({
      schema: statusCheck(schema),
      scale: (object) => (scale === undefined ? [] : scaleStatusErrors(object, scale)),
    }),
  }
  return { main, status, hasRules: rules !== undefined }
}

/** Warnings about new finalizers that have no qualified name. */
function finalizerWarnings(next: readonly string[] = [], old: readonly string[] = []): string[] {
  return next
    .filter((name) => !isUsualFinalizer(name) && !old.includes(name))
    .map((name) => {
      // A domain alone lacks the path. Source: seen on kube-apiserver 1.37.2.
      const path = name.includes('.') ? ' including a path (/)' : ''
      return `metadata.finalizers: ${goQuote(name)}: prefer a domain-qualified finalizer name${path} to avoid accidental conflicts with other finalizer writers`
    })
}

/**
 * Error message for creates while the definition is terminating. Source: apiextensions, the handler
 * of custom resources.
 */
const terminating = 'create not allowed while custom resource definition is terminating'

type Validation = Required<Pick<Strategy, 'validateAfter' | 'validateInSteps'>>

interface Checks {
  schema: (
    found: readonly FieldError[],
    object: ApiObject,
    old?: ApiObject,
  ) => readonly FieldError[]
  /** Validates the fields that the scale of an object reads. */
  scale: (object: ApiObject) => FieldError[]
}

function validation(
  props: JsonSchemaProps,
  schema: Schema,
  rules: SchemaRules | undefined,
): (checks: Checks) => Validation {
  const checkName = nameCheck(props)
  return (checks) => ({
    validateAfter: (found, object, old) => [
      ...found.metadata,
      ...checkName(object),
      ...checks.schema(found.schema, object, old),
      ...checks.scale(object),
      ...embeddedErrors(object, schema),
      ...newRepeats(object, old, schema),
    ],
    validateInSteps: function* (found, object, old, context) {
      if (rules === undefined) return []
      if (found.some(isBlocking)) return [uncheckedRules]
      const correlated = old && new Correlated(object, old, schema)
      const visited = { value: visible(object), old: old && visible(old), path: '', correlated }
      const broken = yield* ruleSteps(rules, visited)
      for (const { field, message } of broken.warnings) context.warn(`${field}: ${message}`)
      return broken.errors
    },
  })
}

/**
 * Check for a status written through its subresource, against the status part of the schema; error
 * paths are relative to it. Source: seen on kube-apiserver 1.37.2.
 */
function statusCheck({ properties = {} }: Schema): Checks['schema'] {
  const { status: schema } = properties
  if (schema === undefined) return () => []
  const check = walkedCheck(schema, customDialect)
  return (_found, next, old) => {
    const { status } = next
    if (status === undefined) return []
    return check(status, new Correlated(status, old?.['status'], schema)).map(belowStatus)
  }
}

function belowStatus(error: FieldError): FieldError {
  const field = error.field === '<nil>' ? 'status' : `status.${error.field}`
  return { ...error, field, message: error.message.replace('<nil> in body', ' in body') }
}

/**
 * Errors for duplicates, except for those in unchanged stored lists, which must not block an
 * update.
 */
function newRepeats(object: ApiObject, old: ApiObject | undefined, schema: Schema): FieldError[] {
  const errors = listTypeErrors(object, schema)
  if (errors.length === 0 || old === undefined) return errors
  return listTypeErrors(old, schema).length > 0 ? [] : errors
}

const blocking: readonly FieldError['reason'][] = [
  ...(['FieldValueNotSupported', 'FieldValueRequired', 'FieldValueTooLong'] as const),
  ...(['FieldValueTooMany', 'FieldValueTypeInvalid'] as const),
]

/**
 * Reports whether an error prevents the evaluation of validation rules, which need a valid
 * structure. Source: apiextensions, the strategy of custom resources.
 */
function isBlocking({ reason }: FieldError): boolean {
  return blocking.includes(reason)
}

/** Check for metadata; a definition can only restrict the name. */
function nameCheck({ properties }: JsonSchemaProps): (object: ApiObject) => FieldError[] {
  const metadata = properties?.['metadata']
  if (metadata?.properties === undefined) return () => []
  const check = walkedCheck({ properties: { metadata: structuralSchema(metadata) } }, customDialect)
  return (object) => check(visible(object))
}

/** Part of an object that validation rules can access. */
function visible(object: ApiObject): ApiObject {
  const { name, generateName } = object.metadata
  const metadata = {
    ...(name === undefined ? {} : { name }),
    ...(generateName === undefined ? {} : { generateName }),
  }
  return { ...object, metadata }
}
