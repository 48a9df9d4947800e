import { parseExact } from '../../meta/json/exactJson.ts'
import { groupVersionString, type ApiObject } from '../../meta/types.ts'
import type { ApplyContext } from './applyContext.ts'
import { compareTyped } from './typed/compareTyped.ts'
import { difference, type FieldSet } from './fields/fieldSet.ts'
import { fieldType } from './typed/fieldType.ts'
import { goJson } from './typed/goText.ts'
import { ownedFields } from './fields/ownedFields.ts'
import { isFields, TypedValueError } from './typed/typedValue.ts'
import { validateTyped } from './typed/validateTyped.ts'

const annotation = 'kubectl.kubernetes.io/last-applied-configuration'
const maxAnnotationsBytes = 256 * 1024

/**
 * The fields set by client-side apply that still have the same values: kubectl's server-side apply takes them from any
 * owner. Undefined without a valid annotation.
 * Source: apimachinery, managedfields, "lastAppliedManager"; reference 3.11.
 */
export function allowedByLastApplied(live: ApiObject, context: ApplyContext): FieldSet | undefined {
  const config = parsed(live.metadata.annotations?.[annotation])
  if (config?.['apiVersion'] !== groupVersionString(context)) return undefined
  const type = fieldType(context.schema)
  try {
    validateTyped(live, type)
    validateTyped(config, type)
    const { added, modified, removed } = compareTyped(config, live, type)
    return [modified, added, removed].reduce(difference, ownedFields(config, type))
  } catch (error) {
    if (!(error instanceof TypedValueError)) throw error
    return undefined
  }
}

function parsed(text: string | undefined): Record<string, unknown> | undefined {
  if (text === undefined || text === '') return undefined
  try {
    const config: unknown = parseExact(text)
    return isFields(config) && typeof config['kind'] === 'string' ? config : undefined
  } catch {
    // The annotation is the client's own; an invalid one allows nothing.
    return undefined
  }
}

/**
 * `object` with an existing annotation of client-side apply updated to the applied configuration; without it if it
 * would be too large. Source: apimachinery, managedfields, "lastAppliedUpdater".
 */
export function withLastApplied(object: ApiObject, config: ApiObject): ApiObject {
  const annotations: Record<string, string> = object.metadata.annotations ?? {}
  if ((annotations[annotation] ?? '') === '') return object
  const next = { ...annotations, [annotation]: `${goJson(withoutAnnotation(config))}\n` }
  if (bytesOf(next) <= maxAnnotationsBytes) return withAnnotations(object, next)
  const { [annotation]: _, ...others } = annotations
  return withAnnotations(object, others)
}

function withoutAnnotation(config: ApiObject): ApiObject {
  const { annotations } = config.metadata
  if (annotations === undefined || !Object.hasOwn(annotations, annotation)) return config
  const { [annotation]: _, ...others } = annotations
  return withAnnotations(config, others)
}

function withAnnotations(object: ApiObject, annotations: Record<string, string>): ApiObject {
  return { ...object, metadata: { ...object.metadata, annotations } }
}

function bytesOf(annotations: Record<string, string>): number {
  return Object.entries(annotations).reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  )
}
