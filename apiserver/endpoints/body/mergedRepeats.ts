import { repeatedKeys } from '../../encoding/duplicateFields.ts'
import { parseLiterals } from '../../meta/json/exactJson.ts'
import { isObject } from '../../meta/json/isObject.ts'
import { NumberLiteral } from '../../meta/json/numberLiteral.ts'
import { setMember } from '../../meta/json/plainMembers.ts'
import type { Schema } from '../../meta/schema.ts'

/**
 * Prefix of the keys of repeated members while all members of an object are in one map: an unpaired surrogate, which no
 * key contains.
 */
const mark = '\ud802'
const escapedMark = String.raw`\ud802`

/**
 * Value of a JSON document with repeated members, as decoded by Go into existing values: structs
 * are merged, map values are replaced, and list items are merged by position.
 * Source: sigs.k8s.io/json; seen on kube-apiserver 1.37.2.
 */
export function mergedRepeats(text: string, schema: Schema): unknown {
  return merged(undefined, parseLiterals(withNumberedRepeats(text)), schema)
}

function withNumberedRepeats(text: string): string {
  let result = ''
  let done = 0
  for (const [at, { start, end }] of repeatedKeys(text).entries()) {
    result += `${text.slice(done, start)}"${escapedMark}${at} ${text.slice(start + 1, end)}`
    done = end
  }
  return result + text.slice(done)
}

function nameOf(key: string): string {
  return key.startsWith(mark) ? key.slice(key.indexOf(' ') + 1) : key
}

function merged(old: unknown, next: unknown, schema: Schema | undefined): unknown {
  if (Array.isArray(next)) return mergedItems(old, next, schema?.items)
  if (!isObject(next) || next instanceof NumberLiteral) return next
  const result = keptMembers(old, schema)
  for (const [key, member] of Object.entries(next)) {
    const name = nameOf(key)
    const field = ownMember(schema?.properties, name)
    // Map values are replaced, not merged.
    const before = field === undefined ? undefined : ownMember(result, name)
    setMember(result, name, merged(before, member, field ?? schema?.additionalProperties))
  }
  return result
}

/** The members of an object schema; none for a value without a schema. */
function keptMembers(old: unknown, schema: Schema | undefined): Record<string, unknown> {
  const { properties, additionalProperties } = schema ?? {}
  const isKept = properties !== undefined || additionalProperties !== undefined
  // The document was decoded for this request, so its objects may be changed; a copy for each repeat would be quadratic.
  return isKept && isObject(old) && !(old instanceof NumberLiteral) ? old : {}
}

function ownMember<T>(members: Readonly<Record<string, T>> = {}, name: string): T | undefined {
  return Object.hasOwn(members, name) ? members[name] : undefined
}

function mergedItems(old: unknown, next: readonly unknown[], items: Schema | undefined): unknown[] {
  const before: readonly unknown[] = Array.isArray(old) ? old : []
  return next.map((item, at) => merged(before[at], item, items))
}
