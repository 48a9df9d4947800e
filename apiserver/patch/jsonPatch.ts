import { isDeepStrictEqual } from 'node:util'
import { applyPatch, type Operation } from 'rfc6902'
import { jsonText } from '../meta/json/exactJson.ts'
import { setMember } from '../meta/json/plainMembers.ts'
import { unprocessable } from '../meta/statusErrors.ts'
import { jsonPatchOperations, type JsonPatchOperation } from './jsonPatchOperations.ts'
import { findPlace, itemIndex, valueAt, type Place } from './jsonPointer.ts'

/**
 * A copy of `target` with a JSON patch applied, all of it or none. If RFC 6902 and the library of the real server
 * differ, the library is followed: `replace` adds a missing member, a missing member equals null for `test` and `copy`,
 * a missing `value` is null, and indices may be negative.
 * @throws StatusError 400 for an invalid patch, 413 for too many operations, 422 for an operation that fails.
 * Source: RFC 6902; reference 3.9.
 */
export function applyJsonPatch(target: unknown, patch: unknown): unknown {
  const operations = jsonPatchOperations(patch)
  const patcher = new Patcher(structuredClone(target))
  for (const operation of operations) patcher.apply(operation)
  return patcher.document
}

/** Maximum bytes that all copies of a patch may add to a document. */
const maxCopiedBytes = 3 * 1024 * 1024

/**
 * Maximum number of values that all copies may add: small values, such as `{}`, cost far more than
 * their bytes.
 */
const maxCopiedValues = 400_000

/** Upper bound of the number of values in a JSON document. */
function valuesIn(text: string): number {
  let count = 1
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    // A comma, or an opening bracket or brace.
    if (code === 0x2c || code === 0x5b || code === 0x7b) count++
  }
  return count
}

/**
 * Maximum number of list items that all operations may shift: the maximum number of operations, each at the start of a
 * list of 10,000.
 */
const maxShiftedItems = 100_000_000

/**
 * The document while operations are applied. Locations are resolved here, by own members only, so that no pointer
 * reaches inherited members; rfc6902 makes the changes, except for moves, for which it adds a clone.
 */
class Patcher {
  document: unknown
  #copiedBytes = 0
  #copiedValues = 0
  #shiftedItems = 0

  constructor(document: unknown) {
    this.document = document
  }

  apply({ op, path, from, value = null }: JsonPatchOperation): void {
    switch (op) {
      case 'add':
        return this.#add(path, value)
      case 'remove':
        return this.#remove(path)
      case 'replace':
        return this.#replace(path, value)
      case 'move':
        return this.#move(from, path)
      case 'copy':
        return this.#copy(from, path)
      case 'test':
        return this.#test(path, value)
      case undefined:
      case null:
      default:
        throw failure(`Unexpected kind: ${op ?? 'unknown'}`)
    }
  }

  #add(path: Pointer, value: unknown): void {
    change(this.#addition(path), { op: 'add', value })
  }

  /** The location of a new value, with a list index in plain form. */
  #addition(path: Pointer): Place {
    const place = this.#place(path)
    const { container, key } = place
    if (!Array.isArray(container) || key === '-') return place
    const index = itemIndex(key, container.length + 1)
    if (index === undefined) throw failure(`Unable to access invalid index: ${key}`)
    this.#countShift(container.length - index)
    return { container, key: String(index) }
  }

  #remove(path: Pointer): void {
    const place = this.#existing(path)
    const { container, key } = place
    if (Array.isArray(container)) this.#countShift(container.length - Number(key))
    change(place, { op: 'remove' })
  }

  #countShift(items: number): void {
    this.#shiftedItems += items
    if (this.#shiftedItems > maxShiftedItems) {
      throw failure(`the steps shift more than ${maxShiftedItems} items of lists`)
    }
  }

  #replace(path: Pointer, value: unknown): void {
    if (path === '') {
      if (!isContainer(value)) throw failure('replace operation value must be object or array')
      this.document = structuredClone(value)
      return
    }
    const place = this.#place(path)
    if (!Array.isArray(place.container)) return change(place, { op: 'add', value })
    change(this.#existing(path), { op: 'replace', value })
  }

  #move(from: Pointer, path: Pointer): void {
    const value = valueAt(this.#existing(from))
    this.#remove(from)
    put(this.#addition(path), value)
  }

  #copy(from: Pointer, path: Pointer): void {
    const value = this.#value(from)
    const text = value === null ? '' : jsonText(value)
    this.#copiedBytes += Buffer.byteLength(text)
    this.#copiedValues += valuesIn(text)
    if (this.#copiedBytes > maxCopiedBytes) {
      const why = `the accumulated size increase of copy is ${this.#copiedBytes}`
      throw failure(`Unable to complete the copy, ${why}, exceeding the limit ${maxCopiedBytes}`)
    }
    if (this.#copiedValues > maxCopiedValues) {
      const why = `the accumulated number of values is ${this.#copiedValues}`
      throw failure(`Unable to complete the copy, ${why}, exceeding the limit ${maxCopiedValues}`)
    }
    this.#add(path, value)
  }

  #test(path: Pointer, value: unknown): void {
    const found = path === '' ? this.document : this.#value(path)
    if (!isDeepStrictEqual(found, value)) throw failure(`testing value ${path} failed: test failed`)
  }

  /** The value at `path`: null for a missing member, but an item must exist. */
  #value(path: Pointer): unknown {
    const place = this.#place(path)
    return valueAt(Array.isArray(place.container) ? this.#existing(path) : place) ?? null
  }

  #place(path: Pointer): Place {
    const place = typeof path === 'string' ? findPlace(this.document, path) : undefined
    if (place === undefined) throw failure(`operation does not apply: doc is missing path: ${path}`)
    return place
  }

  /** The location of an existing value, with a list index in plain form. */
  #existing(path: Pointer): Place {
    const place = this.#place(path)
    const { container, key } = place
    if (valueAt(place) === undefined) {
      const isIndex = Array.isArray(container) && /^-?\d+$/.test(key)
      throw failure(isIndex ? `Unable to access invalid index: ${key}` : `missing value: ${path}`)
    }
    return Array.isArray(container)
      ? { container, key: String(itemIndex(key, container.length)) }
      : place
  }
}

type Pointer = string | null | undefined

function change(
  { container, key }: Place,
  step: { op: 'add' | 'replace'; value: unknown } | { op: 'remove' },
) {
  if (!Array.isArray(container)) return changeMember(container, key, step)
  const path = `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
  const operation: Operation = step.op === 'remove' ? { op: 'remove', path } : { ...step, path }
  const [error] = applyPatch(container, [operation])
  if (error) throw unprocessable(error)
}

/** Changes a member, including `__proto__`, which rfc6902 refuses. */
function changeMember(container: object, key: string, step: Parameters<typeof change>[1]): void {
  if (step.op === 'remove') Reflect.deleteProperty(container, key)
  else setMember(container, key, structuredClone(step.value))
}

/** Adds the value itself rather than a clone. */
function put({ container, key }: Place, value: unknown): void {
  if (!Array.isArray(container)) setMember(container, key, value)
  else if (key === '-') container.push(value)
  else container.splice(Number(key), 0, value)
}

function failure(why: string) {
  return unprocessable(new Error(why))
}

function isContainer(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}
