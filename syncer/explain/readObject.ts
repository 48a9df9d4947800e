import { isObject } from '../../apiserver/meta/json/isObject.ts'
import type { ApiObject } from '../../apiserver/meta/types.ts'
import { readMap, readString, readStrings, type Problems } from '../config/fieldShape.ts'

/** A value that is not a valid API object: one sentence for each error. */
export class ObjectError extends Error {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.name = 'ObjectError'
    this.problems = problems
  }
}

const defaultNamespace = 'default'

/**
 * Validates a decoded document as an object, in the namespace `default` if it has none. Only fields common to all
 * objects are checked.
 * @throws ObjectError.
 */
export function readObject(given: unknown): ApiObject {
  const problems: Problems = []
  const document = readMap(given, 'the object', problems)
  const apiVersion = required(document.apiVersion, 'apiVersion', problems)
  const kind = required(document.kind, 'kind', problems)
  const map = readMap(document.metadata, 'metadata', problems)
  const name = required(map.name, 'metadata.name', problems)
  const namespace = readString(map.namespace, 'metadata.namespace', problems) ?? defaultNamespace
  const texts = ['labels', 'annotations'].flatMap((field) => {
    const read = readStrings(map[field], `metadata.${field}`, problems)
    return isObject(map[field]) ? [[field, read] as const] : []
  })
  if (problems.length > 0) throw new ObjectError(problems)
  const metadata = { ...map, ...Object.fromEntries(texts), name, namespace }
  return { ...document, apiVersion, kind, metadata }
}

function required(value: unknown, field: string, problems: Problems): string {
  const before = problems.length
  const text = readString(value, field, problems)
  if (text === undefined && problems.length === before) problems.push(`${field} is required`)
  return text ?? ''
}
