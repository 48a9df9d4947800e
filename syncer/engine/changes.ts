import { isObject } from '../../apiserver/meta/json/isObject.ts'
import type { ApiObject } from '../../apiserver/meta/types.ts'
import { applyMergePatch } from '../../apiserver/patch/mergePatch.ts'

/** Changes of an object. Removals are separate from values: patches only see values. */
export interface Changes {
  /** A partial object. */
  set: Record<string, unknown>
  /** Paths of removed keys. */
  remove: string[][]
}

/** Changes of the map at `path`: null removes. */
export function mapChanges(
  path: readonly string[],
  values: Readonly<Record<string, unknown>>,
): Changes {
  const entries = Object.entries(values)
  const set = Object.fromEntries(entries.filter(([, value]) => value !== null))
  return {
    set: Object.keys(set).length === 0 ? {} : nested(path, set),
    remove: entries.filter(([, value]) => value === null).map(([key]) => [...path, key]),
  }
}

export function joinChanges(...all: readonly Changes[]): Changes {
  return {
    set: all.reduce<Record<string, unknown>>((joined, { set }) => merged(joined, set), {}),
    remove: all.flatMap(({ remove }) => remove),
  }
}

/** The object with the changes applied; without changes, the object itself. */
export function withChanges(object: ApiObject, { set, remove }: Changes): ApiObject {
  if (remove.length === 0 && Object.keys(set).length === 0) return object
  // Sound: merging keeps the kind, the version and the metadata that every object has.
  const changed = structuredClone(merged(object, set)) as ApiObject
  for (const path of remove) removeAt(changed, path)
  return changed
}

function merged(target: object, set: Record<string, unknown>): Record<string, unknown> {
  const result = applyMergePatch(target, set)
  return isObject(result) ? result : {}
}

function nested(path: readonly string[], value: unknown): Record<string, unknown> {
  const [first = '', ...rest] = path
  return { [first]: rest.length === 0 ? value : nested(rest, value) }
}

function removeAt(object: Record<string, unknown>, path: readonly string[]): void {
  const [first = '', ...rest] = path
  const below = object[first]
  if (rest.length === 0) Reflect.deleteProperty(object, first)
  else if (isObject(below)) removeAt(below, rest)
}
