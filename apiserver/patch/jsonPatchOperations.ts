import { goJsonType } from '../meta/json/goJsonType.ts'
import { isObject } from '../meta/json/isObject.ts'
import { goQuote } from '../meta/goQuote.ts'
import { badRequest, requestEntityTooLarge } from '../meta/statusErrors.ts'

/** An operation of a JSON patch, as sent: required members are checked when it is applied. */
export interface JsonPatchOperation {
  op?: string | null
  path?: string | null
  from?: string | null
  value?: unknown
}

const maxOperations = 10_000

/**
 * The operations of a JSON patch. null is an empty patch.
 * @throws StatusError 400 unless it is a list of objects with string members; 413 for too many operations.
 * Source: reference 3.9.
 */
export function jsonPatchOperations(patch: unknown): JsonPatchOperation[] {
  if (patch === null) return []
  if (!Array.isArray(patch)) throw undecodable(patch, '[]handlers.jsonPatchOp')
  const operations = patch.map(operation)
  if (operations.length <= maxOperations) return operations
  const limit = `The allowed maximum operations in a JSON patch is ${maxOperations}`
  throw requestEntityTooLarge(`${limit}, got ${operations.length}`)
}

/**
 * Errors of strict validation: unknown and repeated members. `duplicates` are the paths found by decoding. Source:
 * reference 1.13.
 */
export function jsonPatchStrictErrors(patch: unknown, duplicates: readonly string[]): string[] {
  const operations: unknown[] = Array.isArray(patch) ? patch : []
  const unknown = operations.flatMap((operation, index) =>
    isObject(operation) ? unknownMembers(operation).map((name) => `[${index}].${name}`) : [],
  )
  return [
    ...unknown.map((path) => `json patch unknown field ${goQuote(path)}`),
    ...duplicates.map((path) => `json patch duplicate field ${goQuote(path)}`),
  ]
}

const textMembers = ['op', 'path', 'from'] as const

function unknownMembers(operation: object): string[] {
  return Object.keys(operation).filter((name) => !['op', 'path', 'from', 'value'].includes(name))
}

function operation(candidate: unknown): JsonPatchOperation {
  if (candidate === null) return {}
  if (!isObject(candidate)) throw undecodable(candidate, 'handlers.jsonPatchOp')
  for (const name of textMembers) {
    const value = Object.hasOwn(candidate, name) ? candidate[name] : null
    if (value !== null && typeof value !== 'string') throw undecodable(value, 'string', name)
  }
  // Sound: the loop above checked that these members are strings.
  return candidate
}

function undecodable(value: unknown, goType: string, member?: string) {
  const target = member === undefined ? 'value' : `struct field jsonPatchOp.${member}`
  const why = `json: cannot unmarshal ${goJsonType(value)} into Go ${target} of type ${goType}`
  return badRequest(`error decoding patch: ${why}`)
}
