import { parseFieldPath, selectedItem, type FieldPath } from './fieldPath.ts'
import { StatusError } from '../watch/statusError.ts'
import { member, type ApiObject } from './objects.ts'

/** Field that an apply would change although another manager owns it. */
export interface FieldConflict {
  field: string
  manager: string
}

/** Conflicts of a refused apply; empty for any other error. Source: Kubernetes API, server-side apply. */
export function conflictsOf(error: unknown): FieldConflict[] {
  if (!(error instanceof StatusError) || error.code !== 409) return []
  return (error.details.causes ?? [])
    .filter(({ reason }) => reason === 'FieldManagerConflict')
    .map(({ field = '', message = '' }) => ({
      field,
      manager: /conflict with "((?:[^"\\]|\\.)*)"/.exec(message)?.[1] ?? message,
    }))
}

/**
 * The object as a configuration to apply, without fields that only the server sets. The revision is
 * kept as a precondition.
 */
export function appliedConfig({ metadata, ...object }: ApiObject): ApiObject {
  const { name, namespace, labels, annotations, finalizers, ownerReferences } = metadata
  const { resourceVersion } = metadata
  const { status: _, ...rest } = object
  const kept = { namespace, labels, annotations, finalizers, ownerReferences, resourceVersion }
  const given = Object.entries(kept).filter(([, value]) => value !== undefined)
  return { ...rest, metadata: { name, ...Object.fromEntries(given) } }
}

/** Configuration without some fields, which keep their values and owners. */
export function withoutFields(config: ApiObject, fields: readonly string[]): ApiObject {
  const copy = structuredClone(config)
  for (const field of fields) remove(copy, parseFieldPath(field))
  return copy
}

/** Value of a field in an object; undefined: absent. */
export function fieldValue(object: unknown, field: string): unknown {
  return parseFieldPath(field).reduce<unknown>(
    (value, step) => (Array.isArray(value) ? value[positionOf(value, step)] : member(value, step)),
    object,
  )
}

function remove(object: unknown, path: FieldPath): void {
  const parent = path
    .slice(0, -1)
    .reduce<unknown>(
      (value, step) =>
        Array.isArray(value) ? value[positionOf(value, step)] : member(value, step),
      object,
    )
  const last = path.at(-1) ?? ''
  if (Array.isArray(parent)) {
    const at = positionOf(parent, last)
    if (at >= 0) parent.splice(at, 1)
  } else if (typeof parent === 'object' && parent !== null) Reflect.deleteProperty(parent, last)
}

function positionOf(items: readonly unknown[], step: string): number {
  return /^\d+$/.test(step) ? Number(step) : selectedItem(items, step)
}
