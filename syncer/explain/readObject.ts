import { isObject } from '../../apiserver/meta/json/isObject.ts'
import type { ApiObject } from '../../apiserver/meta/types.ts'
import { readMap, readText, readTexts, type Problems } from '../config/fieldShape.ts'

/** Something that is to be an object of an API and is none: a sentence for each thing wrong with it. */
export class ObjectError extends Error {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.name = 'ObjectError'
    this.problems = problems
  }
}

const defaultNamespace = 'default'

/** A decoded document as the object that it is, in the namespace `default` where it names none. Looks at what every
 *  object has, and at no field of its kind.
 *  @throws ObjectError. */
export function readObject(given: unknown): ApiObject {
  const problems: Problems = []
  const document = readMap(given, 'the object', problems)
  const apiVersion = required(document.apiVersion, 'apiVersion', problems)
  const kind = required(document.kind, 'kind', problems)
  const map = readMap(document.metadata, 'metadata', problems)
  const name = required(map.name, 'metadata.name', problems)
  const namespace = readText(map.namespace, 'metadata.namespace', problems) ?? defaultNamespace
  const texts = ['labels', 'annotations'].flatMap((field) => {
    const read = readTexts(map[field], `metadata.${field}`, problems)
    return isObject(map[field]) ? [[field, read] as const] : []
  })
  if (problems.length > 0) throw new ObjectError(problems)
  const metadata = { ...map, ...Object.fromEntries(texts), name, namespace }
  return { ...document, apiVersion, kind, metadata }
}

function required(value: unknown, field: string, problems: Problems): string {
  const before = problems.length
  const text = readText(value, field, problems)
  if (text === undefined && problems.length === before) problems.push(`${field} is required`)
  return text ?? ''
}
