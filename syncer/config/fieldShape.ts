import { isObject } from '../../apiserver/meta/json/isObject.ts'

/** Errors found while reading a document: one sentence each, with the path of the field. */
export type Problems = string[]

/** The map at a path; another type is an error and reads as empty. Absent and null: empty. */
export function readMap(value: unknown, path: string, problems: Problems): Record<string, unknown> {
  if (value === undefined || value === null) return {}
  if (isObject(value)) return value
  problems.push(`${path} must be a map`)
  return {}
}

export function readList(value: unknown, path: string, problems: Problems): unknown[] {
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) return value
  problems.push(`${path} must be a list`)
  return []
}

export function readBoolean(value: unknown, path: string, problems: Problems): boolean | undefined {
  if (value === undefined || value === null || typeof value === 'boolean') return value ?? undefined
  problems.push(`${path} must be true or false`)
  return undefined
}

/** The string at a path; empty counts as absent. */
export function readString(value: unknown, path: string, problems: Problems): string | undefined {
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value === 'string') return value
  problems.push(`${path} must be a text`)
  return undefined
}

/** The map of strings at a path. */
export function readStrings(
  value: unknown,
  path: string,
  problems: Problems,
): Record<string, string> {
  const entries = Object.entries(readMap(value, path, problems))
  return Object.fromEntries(
    entries.map(([key, text]) => [key, readString(text, `${path}[${key}]`, problems) ?? '']),
  )
}

export function refuseUnknown(
  map: Record<string, unknown>,
  known: readonly string[],
  at: { path: string; problems: Problems },
): void {
  for (const key of Object.keys(map)) {
    if (!known.includes(key)) at.problems.push(`${at.path} has the unknown field ${key}`)
  }
}
