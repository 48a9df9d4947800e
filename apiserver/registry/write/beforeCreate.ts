import { formOf } from '../objectForm.ts'
import { uniqueErrors, type FieldError } from '../../meta/fieldErrors.ts'
import type { Schema } from '../../meta/schema.ts'
import { invalid } from '../../meta/statusErrors.ts'
import type { ApiObject, ObjectMeta } from '../../meta/types.ts'
import {
  prefixErrors,
  qualifiedFinalizerErrors,
  validateMetadata,
  type MetadataRules,
} from './metadataValidation.ts'
import type { Steps } from '../../meta/waiting/steps.ts'
import { storedKind, type ResourceDefinition } from '../resource.ts'
import { canonicalForm, isDropped, objectSchema } from '../schema/canonicalForm.ts'
import { emptyForm } from '../schema/emptyForm.ts'
import { dropEmptyLists } from '../schema/emptyLists.ts'
import type { Correlated } from '../schema/correlated.ts'
import { hasFieldsInPlace, inOrder, isCanonical } from '../schema/isCanonical.ts'
import type { DeclaredError, RequestContext, Strategy } from '../strategy.ts'

export type SchemaCheck = (object: unknown, correlated?: Correlated) => FieldError[]

/**
 * Prepares and validates a decoded object with its name for its write: changes `object`. The schema comes first, so
 * that hooks can rely on types. Only rules of the kind take several steps.
 * @throws StatusError Invalid with a cause for each invalid field.
 */
export function* beforeCreate(
  object: ApiObject,
  resource: ResourceDefinition,
  checkSchema: SchemaCheck,
  context: RequestContext,
): Steps<void> {
  const { strategy } = resource
  const refuse = (errors: readonly FieldError[]): void => {
    if (errors.length === 0) return
    throw invalid(storedKind(resource), object.metadata.name ?? '', toldOf(errors, strategy))
  }
  // A kind without a generation keeps the client's value.
  if (strategy.generation !== 'none') object.metadata.generation = 1
  delete object.metadata.selfLink
  fillSpec(object, resource)
  if (resetsStatus(resource) && strategy.resetsStatus !== 'onUpdate') {
    delete object['status']
    if (formOf(resource).isComplete) object['status'] = emptyStatus(resource)
  }
  const schema = checkSchema(object)
  if (refusesAtOnce(schema, strategy)) refuse(schema)
  strategy.prepareForCreate?.(object, context)
  const found = createErrors(object, schema, { resource, context })
  refuse(yield* allErrors(found, strategy, { next: object, context }))
  for (const text of strategy.warningsOnCreate?.(object, context) ?? []) context.warn(text)
  strategy.canonicalize?.(object)
  keepOrder(object, resource, strategy)
}

interface JudgedWrite {
  next: ApiObject
  /** Undefined: the object is new. */
  old?: ApiObject
  context: RequestContext
}

/** Found errors, and those that the kind finds in steps. */
export function* allErrors(
  found: readonly FieldError[],
  strategy: Strategy,
  { next, old, context }: JudgedWrite,
): Steps<readonly FieldError[]> {
  const more = strategy.validateInSteps?.(found, next, old, context)
  return more === undefined ? found : [...found, ...(yield* more)]
}

/** Reported errors of a kind. */
export function toldOf(
  errors: readonly FieldError[],
  { tellsErrorsOnce, declaredErrors = [] }: Strategy,
  isRun: (rule: DeclaredError) => boolean = () => true,
): readonly FieldError[] {
  const told = tellsErrorsOnce === true ? uniqueErrors(errors) : errors
  return declaredErrors.length === 0 ? told : declaredLast(told, declaredErrors.filter(isRun))
}

function declaredLast(
  errors: readonly FieldError[],
  declared: readonly DeclaredError[],
): readonly FieldError[] {
  const isOf = ({ field, reasons }: DeclaredError, error: FieldError) =>
    error.field.replaceAll(/\[\d+\]/g, '[]') === field &&
    (reasons === undefined || reasons.includes(error.reason))
  const others = errors.filter((error) => !declared.some((one) => isOf(one, error)))
  return [...others, ...declared.flatMap((one) => errors.filter((error) => isOf(one, error)))]
}

/** Restores the schema's order of fields after hooks, which may have appended some. */
export function keepOrder(
  object: ApiObject,
  resource: ResourceDefinition,
  strategy: Strategy,
): void {
  const isShaped =
    strategy.resetsContent === true || shaping.some((hook) => strategy[hook] !== undefined)
  // Objects of decoded kinds still have empty maps and lists, which are dropped here.
  if (!isShaped && !formOf(resource).isDecoded) return
  const { schema } = resource
  const { properties = {} } = objectSchema(schema)
  for (const name in object) {
    const field = properties[name]
    if (name === 'metadata' || field === undefined || isCanonical(object[name], field)) continue
    const value = inOrder(object[name], field) ?? canonicalForm(object[name], field).value
    object[name] = dropEmptyLists(value, field)
  }
  if (!hasFieldsInPlace(object, properties) || !isCanonicalMetadata(object.metadata, properties)) {
    reorder(object, schema)
  }
}

/**
 * Reports whether metadata is canonical. Encoding puts its fields in order, so only their contents are checked, except
 * for managedFields, which are canonical already and the largest part of many objects.
 */
function isCanonicalMetadata(
  metadata: ObjectMeta,
  { metadata: schema }: NonNullable<Schema['properties']>,
): boolean {
  for (const name in metadata) {
    if (name === 'managedFields') continue
    const field = schema?.properties?.[name]
    const value: unknown = metadata[name as keyof ObjectMeta]
    if (field === undefined || isDropped(value, field) || !isCanonical(value, field)) return false
  }
  return true
}

function reorder(object: ApiObject, schema: Schema): void {
  const { managedFields, ...metadata } = object.metadata
  const { value } = canonicalForm({ ...object, metadata }, objectSchema(schema))
  for (const name of Object.keys(object)) Reflect.deleteProperty(object, name)
  Object.assign(object, value)
  if (managedFields !== undefined) object.metadata.managedFields = managedFields
}

const shaping = ['setDefaults', 'prepareForCreate', 'prepareForUpdate', 'canonicalize'] as const

export function resetsStatus({ strategy, schema }: ResourceDefinition): boolean {
  const { resetsStatus: resets = schema.properties?.['status'] !== undefined } = strategy
  return resets !== false
}

/** Adds an empty spec to kinds that have one. */
export function fillSpec(object: ApiObject, resource: ResourceDefinition): void {
  const hasSpec = formOf(resource).isComplete && resource.schema.properties?.['spec'] !== undefined
  if (hasSpec) object['spec'] ??= {}
}

export function emptyStatus({ schema }: ResourceDefinition): Record<string, unknown> {
  return emptyForm(schema.properties?.['status'] ?? {})
}

/**
 * Reports whether errors are reported immediately, since hooks rely on types: always for metadata, and for kinds
 * without a hook that handles errors of the schema.
 */
export function refusesAtOnce(found: readonly FieldError[], strategy: Strategy): boolean {
  return (
    strategy.validateAfter === undefined || found.some(({ field }) => field.startsWith('metadata.'))
  )
}

/** Errors of a new object; metadata is validated only if the kind found no errors, or by the kind itself. */
function createErrors(
  object: ApiObject,
  schema: readonly FieldError[],
  { resource, context }: { resource: ResourceDefinition; context: RequestContext },
): FieldError[] {
  const { strategy, namespaced } = resource
  const rules: MetadataRules = { namespaced, nameRule: strategy.nameRule ?? 'subdomain' }
  if (strategy.validateAfter !== undefined) {
    const metadata = validateMetadata(object.metadata, rules)
    return strategy.validateAfter({ metadata, schema }, object, undefined, context)
  }
  const errors = strategy.validate?.(object, context) ?? []
  if (strategy.metadata?.prefixRule === 'path') {
    const { generateName: _prefix, ...named } = object.metadata
    const found = [...metadataErrors(named, rules, strategy), ...errors]
    return found.length === 0 ? [...prefixErrors(object.metadata)] : found
  }
  if (strategy.metadata?.reportedFirst === true)
    return withGeneral([...firstErrors(object, resource), ...errors], object, resource)
  return errors.length > 0 ? errors : metadataErrors(object.metadata, rules, strategy)
}

/**
 * Errors of a new object of a kind that validates names itself: general errors are only reported if
 * there are no others.
 */
function withGeneral(
  found: FieldError[],
  { metadata }: ApiObject,
  { strategy, namespaced }: ResourceDefinition,
): FieldError[] {
  if (found.length > 0 || strategy.nameRule !== 'own') return found
  return validateMetadata(metadata, { namespaced, nameRule: 'pathSegment' })
}

function firstErrors(
  object: ApiObject,
  { strategy, namespaced }: ResourceDefinition,
): FieldError[] {
  const rules: MetadataRules = { namespaced, nameRule: strategy.nameRule ?? 'subdomain' }
  const ofName = strategy.metadata?.nameErrors?.(object) ?? []
  const errors = metadataErrors(object.metadata, rules, strategy)
  const names = ['metadata.generateName', 'metadata.name']
  return [
    ...names.flatMap((name) => [...errors, ...ofName].filter(({ field }) => field === name)),
    ...errors.filter(({ field }) => !names.includes(field)),
  ]
}

function metadataErrors(
  metadata: ObjectMeta,
  rules: MetadataRules,
  { metadata: own }: Strategy,
): FieldError[] {
  const errors = validateMetadata(metadata, rules)
  return own?.qualifiedFinalizers === true
    ? [...errors, ...qualifiedFinalizerErrors(metadata)]
    : errors
}
