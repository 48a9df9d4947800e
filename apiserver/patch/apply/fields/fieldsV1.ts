import { leaf, nodeOf, type FieldSet } from './fieldSet.ts'
import { canonicalElement } from './pathElement.ts'
import { isFields } from '../typed/typedValue.ts'

/**
 * Reads a field set sent by a client. The JSON form of a set is the set itself, so there is no encoder; decoding makes
 * the elements canonical, sorts them, and drops unknown kinds of elements.
 * @throws Error for an invalid field set.
 * Source: structured-merge-diff, deserialization of sets; reference 3.11.
 */
export function decodeFieldsV1(fields: unknown): FieldSet {
  if (fields === undefined || fields === null) return leaf
  if (!isFields(fields)) throw new Error('a set of fields is an object')
  const children = new Map<string, FieldSet>()
  for (const [text, node] of Object.entries(fields)) {
    const element = text === '.' ? undefined : canonicalElement(text)
    if (element !== undefined) children.set(element, decodeFieldsV1(node))
  }
  return nodeOf(children, '.' in fields)
}
