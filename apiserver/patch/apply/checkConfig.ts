import { readMoment } from '../../meta/moment.ts'
import { badRequest } from '../../meta/statusErrors.ts'
import { StatusError } from '../../meta/status.ts'
import { groupVersionString, type ApiObject } from '../../meta/types.ts'
import type { ApplyContext } from './applyContext.ts'
import type { FieldType } from './typed/fieldType.ts'
import { isFields, member, TypedValueError } from './typed/typedValue.ts'
import { validateTyped, type ValidationOptions } from './typed/validateTyped.ts'

/**
 * Checks that a configuration has the kind and version of the request.
 * @throws StatusError 400. Source: apimachinery, managedfields, "VersionCheckManager"; reference 0.4, 3.13.
 */
export function checkType(config: ApiObject, context: ApplyContext): void {
  const { kind } = context
  if (config.kind === kind && config.apiVersion === groupVersionString(context)) return
  throw badRequest(`invalid object type: ${typeText(config)}`)
}

/**
 * Checks that a configuration has no managedFields and matches the schema.
 * @throws StatusError 400, 500. Source: apimachinery, managedfields, "structuredMergeManager"; reference 3.12, 3.13.
 */
export function checkConfig(config: ApiObject, type: FieldType): void {
  if (hasManagers(config)) throw badRequest('metadata.managedFields must be nil')
  checkTyped(config, type, { what: failedToType('patch') })
}

/**
 * Checks that the live object matches the schema.
 * @throws StatusError 500.
 */
export function checkLive(live: ApiObject, type: FieldType): void {
  checkTyped(live, type, { what: failedToType('live'), allowDuplicates: true })
}

/**
 * Like checkLive(), for an object that is about to get its first manager.
 * @throws StatusError 500.
 */
export function checkUnmanaged(live: ApiObject, type: FieldType): void {
  const what = (object: string) =>
    `failed to create manager for existing fields: failed to convert new object (${object}) to smd typed`
  checkTyped(live, type, { what, allowDuplicates: true })
}

const failedToType = (which: string) => (object: string) =>
  `failed to create typed ${which} object (${object})`

interface Check extends ValidationOptions {
  /** Describes the failed step for an object. */
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

/** Reports whether a configuration has managers. Malformed ones are none here: the schema refuses them. */
function hasManagers(config: ApiObject): boolean {
  const entries = textMember(config, 'managedFields')
  return Array.isArray(entries) && entries.every(isEntry)
}

const entryTexts = ['manager', 'operation', 'apiVersion', 'fieldsType', 'subresource']

function isEntry(entry: unknown): boolean {
  if (!isFields(entry)) return false
  const isText = (name: string) => typeof (member(entry, name) ?? '') === 'string'
  const time = member(entry, 'time') ?? undefined
  const isTimed = time === undefined || (typeof time === 'string' && readMoment(time) !== undefined)
  return isTimed && entryTexts.every(isText)
}

/** A string of metadata, which may have any type in a configuration. */
function textMember(object: ApiObject, name: string): unknown {
  const metadata: unknown = object.metadata
  return isFields(metadata) ? member(metadata, name) : undefined
}

/** The type in messages: a slash follows the group even if the group is empty. */
function typeText(object: ApiObject): string {
  const { kind, apiVersion }: { kind?: unknown; apiVersion?: unknown } = object
  const parts = typeof apiVersion === 'string' ? apiVersion.split('/') : []
  const kindText = typeof kind === 'string' ? kind : ''
  if (parts.length > 2) return '/, Kind='
  const [version = '', group = ''] = parts.reverse()
  return `${group}/${version}, Kind=${kindText}`
}
