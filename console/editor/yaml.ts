import { isMap, isSeq, parseDocument, stringify } from 'yaml'
import type { ApiObject } from '../api/objects.ts'
import { parseFieldPath, selectedItem, type FieldPath } from '../api/fieldPath.ts'
import { StatusError } from '../watch/statusError.ts'

/**
 * The object as YAML for people. Managed fields are omitted, since the server keeps absent ones.
 * The members of every object come first, so that a diff of two versions shows only real
 * differences.
 */
export function yamlOf(object: unknown): string {
  return stringify(ordered(object), { lineWidth: 0, aliasDuplicateObjects: false })
}

const firstMembers = ['apiVersion', 'kind', 'metadata']
const firstMetadata = ['name', 'generateName', 'namespace', 'labels', 'annotations']

function ordered(object: unknown): unknown {
  if (typeof object !== 'object' || object === null || !('metadata' in object)) return object
  const { managedFields: _, ...metadata } = {
    managedFields: undefined,
    ...(object.metadata as object),
  }
  return inOrder({ ...object, metadata: inOrder(metadata, firstMetadata) }, firstMembers)
}

/** Members with these names first, the status last. */
function inOrder(map: object, first: readonly string[]): Record<string, unknown> {
  const place = (key: string) =>
    key === 'status' ? first.length + 1 : (first.indexOf(key) + 1 || first.length + 1) - 1
  return Object.fromEntries(Object.entries(map).sort(([a], [b]) => place(a) - place(b)))
}

/** Problem at a position of a document, in characters from the start. */
export interface TextProblem {
  from: number
  to: number
  message: string
  /** Field with the problem; absent: the document itself. */
  path?: FieldPath
}

export type ParsedYaml = { object: ApiObject } | { problems: readonly TextProblem[] }

/** Parses one object. Refuses more aliases than a person would write. */
export function parseYaml(text: string): ParsedYaml {
  const document = parseDocument(text, { prettyErrors: false, uniqueKeys: true })
  const { errors } = document
  if (errors.length > 0)
    return {
      problems: errors.map(({ pos, message }) => ({ from: pos[0], to: pos[1], message })),
    }
  const whole = (message: string) => ({ problems: [{ from: 0, to: text.length, message }] })
  try {
    const value: unknown = document.toJS({ maxAliasCount: 100 })
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return whole('The text has to be one object.')
    if (!('metadata' in value)) return whole('The object has no metadata.')
    // Sound: fields are checked by the server.
    return { object: value as ApiObject }
  } catch (error) {
    return whole(error instanceof Error ? error.message : String(error))
  }
}

/**
 * Position of a field such as `spec.ports[0].name` in a document, or of its nearest existing
 * parent.
 */
export function placeOf(text: string, field: string): { from: number; to: number } {
  const document = parseDocument(text, { prettyErrors: false })
  const path = parseFieldPath(field)
  for (let length = path.length; length > 0; length--) {
    const range = rangeOf(document.contents, path.slice(0, length))
    if (range !== undefined) return range
  }
  return { from: 0, to: Math.max(0, text.indexOf('\n')) }
}

function rangeOf(root: unknown, path: readonly string[]): { from: number; to: number } | undefined {
  let node = root
  let range: { from: number; to: number } | undefined
  for (const part of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => String(key) === part)
      if (pair === undefined) return undefined
      range = nodeRange(pair.key) ?? range
      node = pair.value
    } else if (isSeq(node)) {
      const at = /^\d+$/.test(part) ? Number(part) : selectedItem(node.toJSON(), part)
      node = node.items[at]
      range = nodeRange(node) ?? range
    } else return undefined
  }
  return range
}

function nodeRange(node: unknown): { from: number; to: number } | undefined {
  if (typeof node !== 'object' || node === null || !('range' in node)) return undefined
  const { range } = node as { range?: readonly number[] | null }
  const [from, to] = range ?? []
  return from === undefined || to === undefined ? undefined : { from, to }
}

/**
 * Causes of an error at their positions in the document. @param fieldOf maps the field of a cause
 * to the field in the document.
 */
export function problemsOf(
  error: unknown,
  text: string,
  fieldOf: (field: string) => string = (field) => field,
): TextProblem[] {
  if (!(error instanceof StatusError)) return []
  return (error.details.causes ?? []).map(({ field = '', message = '' }) => ({
    ...placeOf(text, fieldOf(field)),
    message: `${field}: ${message}`,
    path: parseFieldPath(fieldOf(field)),
  }))
}
