import type { FieldError } from '../meta/fieldErrors.ts'
import { invalid } from '../meta/statusErrors.ts'
import type { ApiObject } from '../meta/types.ts'
import { validateMetadata } from './metadataValidation.ts'
import type { ResourceDefinition } from './resource.ts'
import { canonicalForm, objectSchema } from './canonicalForm.ts'
import type { RequestContext, Strategy } from './strategy.ts'

export type SchemaCheck = (object: unknown) => FieldError[]

/** Everything between a decoded object with its name and its write: changes `object`. The schema comes first, so that
 *  hooks may rely on types.
 *  @throws StatusError Invalid with a cause for each field at fault. */
export function beforeCreate(
  object: ApiObject,
  resource: ResourceDefinition,
  checkSchema: SchemaCheck,
  context: RequestContext,
): void {
  const { strategy } = resource
  const refuse = (errors: readonly FieldError[]): void => {
    if (errors.length > 0) throw invalid(resource, object.metadata.name ?? '', errors)
  }
  // A kind that does not count keeps what its client sends.
  if (strategy.generation !== 'none') object.metadata.generation = 1
  fillSpec(object, resource)
  if (resetsStatus(resource)) {
    delete object['status']
    if (resource.isCustom !== true) object['status'] = {}
  }
  refuse(checkSchema(object))
  strategy.prepareForCreate?.(object, context)
  refuse(createErrors(object, resource, context))
  for (const text of strategy.warningsOnCreate?.(object, context) ?? []) context.warn(text)
  strategy.canonicalize?.(object)
  keepOrder(object, resource, strategy)
}

/** Hooks that shape an object may have added fields at its end: brings them where the schema has them. */
export function keepOrder(
  object: ApiObject,
  { schema }: ResourceDefinition,
  strategy: Strategy,
): void {
  const isShaped =
    strategy.resetsContent === true || shaping.some((hook) => strategy[hook] !== undefined)
  if (!isShaped) return
  // Who set what is in its form already, and the largest part of many objects.
  const { managedFields, ...metadata } = object.metadata
  const { value } = canonicalForm({ ...object, metadata }, objectSchema(schema))
  for (const name of Object.keys(object)) Reflect.deleteProperty(object, name)
  Object.assign(object, value)
  if (managedFields !== undefined) object.metadata.managedFields = managedFields
}

const shaping = ['setDefaults', 'prepareForCreate', 'prepareForUpdate', 'canonicalize'] as const

export function resetsStatus({ strategy, schema }: ResourceDefinition): boolean {
  return strategy.resetsStatus ?? schema.properties?.['status'] !== undefined
}

/** A kind with a spec always shows one. */
export function fillSpec(object: ApiObject, { schema, isCustom }: ResourceDefinition): void {
  if (isCustom !== true && schema.properties?.['spec'] !== undefined) object['spec'] ??= {}
}

/** The metadata is looked at only when the kind found nothing. */
function createErrors(
  object: ApiObject,
  resource: ResourceDefinition,
  context: RequestContext,
): FieldError[] {
  const { strategy, namespaced } = resource
  const errors = strategy.validate?.(object, context) ?? []
  if (errors.length > 0) return errors
  return validateMetadata(object.metadata, {
    namespaced,
    nameRule: strategy.nameRule ?? 'subdomain',
  })
}
