import { badRequest } from '../../meta/statusErrors.ts'
import { StatusError } from '../../meta/status.ts'
import { groupVersionString, type ApiObject } from '../../meta/types.ts'
import type { ApplyContext } from './applyContext.ts'
import type { FieldType } from './typed/fieldType.ts'
import { isFields, member, TypedValueError } from './typed/typedValue.ts'
import { validateTyped, type ValidationOptions } from './typed/validateTyped.ts'

/** A configuration is of the kind and version that it is applied as.
 *  @throws StatusError 400. Source: apimachinery, managedfields, "VersionCheckManager"; reference 0.4, 3.13. */
export function checkType(config: ApiObject, context: ApplyContext): void {
  const { kind } = context
  if (config.kind === kind && config.apiVersion === groupVersionString(context)) return
  throw badRequest(`invalid object type: ${typeText(config)}`)
}

/** A configuration brings no managedFields and fits the schema.
 *  @throws StatusError 400, 500. Source: apimachinery, managedfields, "structuredMergeManager"; reference 3.12, 3.13. */
export function checkConfig(config: ApiObject, type: FieldType): void {
  if (Array.isArray(textMember(config, 'managedFields'))) {
    throw badRequest('metadata.managedFields must be nil')
  }
  checkTyped(config, type, { what: failedToType('patch') })
}

/** The live object fits the schema.
 *  @throws StatusError 500. */
export function checkLive(live: ApiObject, type: FieldType): void {
  checkTyped(live, type, { what: failedToType('live'), allowDuplicates: true })
}

/** As checkLive(), for an object whose fields are to be given to a manager for the first time.
 *  @throws StatusError 500. */
export function checkUnmanaged(live: ApiObject, type: FieldType): void {
  const what = (object: string) =>
    `failed to create manager for existing fields: failed to convert new object (${object}) to smd typed`
  checkTyped(live, type, { what, allowDuplicates: true })
}

const failedToType = (which: string) => (object: string) =>
  `failed to create typed ${which} object (${object})`

interface Check extends ValidationOptions {
  /** What fails, for an object. */
  what: (object: string) => string
}

function checkTyped(object: ApiObject, type: FieldType, { what, ...options }: Check): void {
  try {
    validateTyped(object, type, options)
  } catch (error) {
    if (!(error instanceof TypedValueError)) throw error
    const message = `${what(objectText(object))}: ${error.message}`
    throw new StatusError(500, '', message, { cause: error })
  }
}

function objectText(object: ApiObject): string {
  const text = (name: string) => {
    const value = textMember(object, name)
    return typeof value === 'string' ? value : ''
  }
  return `${text('namespace')}/${text('name')}; ${typeText(object)}`
}

/** A configuration is what somebody sent: its metadata may be anything. */
function textMember(object: ApiObject, name: string): unknown {
  const metadata: unknown = object.metadata
  return isFields(metadata) ? member(metadata, name) : undefined
}

/** The type as messages show it: the group before a slash even where it is empty. */
function typeText(object: ApiObject): string {
  const { kind, apiVersion }: { kind?: unknown; apiVersion?: unknown } = object
  const parts = typeof apiVersion === 'string' ? apiVersion.split('/') : []
  const kindText = typeof kind === 'string' ? kind : ''
  if (parts.length > 2) return '/, Kind='
  const [version = '', group = ''] = parts.reverse()
  return `${group}/${version}, Kind=${kindText}`
}
