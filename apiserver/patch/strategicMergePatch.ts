import { isObject } from '../meta/json/isObject.ts'
import { ownMember, setMember } from '../meta/json/plainMembers.ts'
import type { Schema } from '../meta/schema.ts'
import { badRequest, plainError } from '../meta/statusErrors.ts'
import {
  directive,
  directivesOf,
  isDirective,
  plainMembers,
  retainKeysMismatch,
  unknownDirective,
} from './strategicDirectives.ts'
import { noMapText } from './mergePatch.ts'
import { inElementOrder } from './elementOrder.ts'
import { propertySchema, type Fields } from './strategicSchema.ts'
import { mergeLists } from './strategicLists.ts'

/**
 * `target` with a strategic merge patch applied: maps are merged, lists are merged by the schema's merge keys or else
 * replaced, and directives in the patch express other changes. Neither argument is changed.
 * @throws StatusError 400, 422 or 500, like the real library.
 * Source: Kubernetes API conventions, "Strategic Merge Patch"; reference 3.9.
 */
export function applyStrategicMergePatch(target: unknown, patch: unknown, schema: Schema): unknown {
  if (patch === null) return target
  if (!isObject(patch) || !isObject(target)) throw badRequest(noMapText(patch))
  return mergeMaps(target, patch, schema)
}

/** Merges `patch` into `original`, both described by `schema`. */
function mergeMaps(original: Fields, patch: Fields, schema: Schema | undefined): Fields {
  switch (directive(patch)) {
    case 'replace':
      return withoutDirectives(plainMembers(patch))
    case 'delete':
      return {}
    case undefined:
      break
    default:
      throw unknownDirective(patch)
  }
  const { retainKeys, deletions, orders } = directivesOf(patch)
  const result = retainKeys === undefined ? { ...original } : retained(original, patch, retainKeys)
  for (const [name, values] of deletions) {
    const deleted = new Set(values)
    setMember(
      result,
      name,
      listOf(ownMember(result, name)).filter((item) => !deleted.has(item)),
    )
  }
  for (const [name, value] of Object.entries(plainMembers(patch))) {
    const before = ownMember(result, name)
    if (isMerged(before, value)) checkKnown(schema, name)
    const merged = mergeField(before, value, propertySchema(schema, name))
    if (merged === undefined) delete result[name]
    else setMember(result, name, merged)
  }
  for (const [name, order] of orders) {
    const { mergeKey } = listRules(propertySchema(schema, name))
    const options = { live: listOf(ownMember(original, name)), mergeKey }
    setMember(result, name, inElementOrder(listOf(ownMember(result, name)), order, options))
  }
  return withoutAbsent(result, original, [...deletions, ...orders])
}

/** Reports whether the rules of the field decide how a value is merged into the previous one. */
function isMerged(before: unknown, value: unknown): boolean {
  return Array.isArray(value) ? Array.isArray(before) : isObject(value) && isObject(before)
}

/**
 * Refuses free content of built-in kinds, which is atomic and has no fields to look up.
 * @throws StatusError 500.
 */
function checkKnown(schema: Schema | undefined, name: string): void {
  const isFree = schema?.['x-kubernetes-preserve-unknown-fields'] === true
  if (!isFree || schema['x-kubernetes-map-type'] !== 'atomic') return
  throw plainError(
    `unable to find api field in struct RawExtension for the json field ${JSON.stringify(name)}`,
  )
}

/** Drops lists that only occur in a directive, which does not create them. */
function withoutAbsent(
  result: Fields,
  original: Fields,
  directed: readonly [string, unknown[]][],
): Fields {
  for (const [name] of directed) {
    const isEmpty = listOf(ownMember(result, name)).length === 0
    if (isEmpty && !Object.hasOwn(original, name)) delete result[name]
  }
  return result
}

/** The value of a field; undefined: it is removed. */
function mergeField(before: unknown, value: unknown, schema: Schema | undefined): unknown {
  if (value === null) return undefined
  if (isObject(value) && isObject(before)) {
    // The value replaces the other unchanged, including nulls.
    return strategies(schema).includes('replace') ? value : mergeMaps(before, value, schema)
  }
  if (Array.isArray(value) && Array.isArray(before)) {
    const { isMerged, mergeKey } = listRules(schema)
    if (!isMerged) return value
    return mergeLists(before, value, {
      mergeKey,
      mergeItems: (old, next) => mergeMaps(old, next, schema?.items),
    })
  }
  return isDirected(value) ? undefined : withoutDirectives(value)
}

/** Reports whether a map has a `$patch`; it is never content, so a directive without a target has no effect. */
function isDirected(value: unknown): boolean {
  return isObject(value) && Object.hasOwn(value, '$patch')
}

function retained(original: Fields, patch: Fields, keys: readonly unknown[]): Fields {
  const names = new Set(keys)
  const isKept = (name: string) => names.has(name)
  for (const [name, value] of Object.entries(patch)) {
    if (!isDirective(name) && value !== null && !isKept(name)) {
      throw retainKeysMismatch()
    }
  }
  return Object.fromEntries(Object.entries(original).filter(([name]) => isKept(name)))
}

function strategies(schema: Schema | undefined): string[] {
  return (schema?.['x-kubernetes-patch-strategy'] ?? '').split(',')
}

function listRules(schema: Schema | undefined): {
  isMerged: boolean
  mergeKey: string | undefined
} {
  return {
    isMerged: strategies(schema).includes('merge'),
    mergeKey: schema?.['x-kubernetes-patch-merge-key'],
  }
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** Content added by a patch, without directives and, in maps, without nulls, which have nothing to remove. */
function withoutDirectives(value: Fields): Fields
function withoutDirectives(value: unknown): unknown
function withoutDirectives(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value
      .filter((item) => !isDirected(item))
      .map((item) => withoutDirectives(item as unknown))
  }
  if (!isObject(value)) return value
  const members = Object.entries(value).filter(
    ([name, member]) => !isDirective(name) && member !== null && !isDirected(member),
  )
  return Object.fromEntries(members.map(([name, member]) => [name, withoutDirectives(member)]))
}
