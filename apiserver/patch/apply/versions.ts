import { groupVersionString, type ApiObject } from '../../meta/types.ts'
import type { ApplyContext } from './applyContext.ts'
import { compareTyped, type Comparison } from './typed/compareTyped.ts'
import { included, recursiveDifference, type FieldSet } from './fields/fieldSet.ts'
import { fieldType, type FieldType } from './typed/fieldType.ts'

/** An object with the type of its version. */
export interface TypedObject {
  object: ApiObject
  type: FieldType
}

/** Converts an object to a version; undefined if the kind does not have it. */
export function inVersion(
  typed: TypedObject,
  apiVersion: string,
  context: ApplyContext,
): TypedObject | undefined {
  if (typed.object.apiVersion === apiVersion) return typed
  const own = apiVersion === groupVersionString(context)
  const converted = context.convert?.(typed.object, apiVersion)
  if (converted === undefined) return undefined
  return { object: converted.object, type: fieldType(own ? context.schema : converted.schema) }
}

/** Changes between two objects, computed per requested version. */
export class VersionedComparison {
  readonly #live: TypedObject
  readonly #next: TypedObject
  readonly #context: ApplyContext
  readonly #byVersion = new Map<string, Comparison | undefined>()

  constructor(live: TypedObject, next: TypedObject, context: ApplyContext) {
    this.#live = live
    this.#next = next
    this.#context = context
  }

  /** The changes in a version; undefined if the kind does not have it. */
  in(apiVersion: string): Comparison | undefined {
    if (!this.#byVersion.has(apiVersion)) this.#byVersion.set(apiVersion, this.#compare(apiVersion))
    return this.#byVersion.get(apiVersion)
  }

  #compare(apiVersion: string): Comparison | undefined {
    const live = inVersion(this.#live, apiVersion, this.#context)
    const next = inVersion(this.#next, apiVersion, this.#context)
    if (live === undefined || next === undefined) return undefined
    const comparison = compareTyped(live.object, next.object, next.type)
    return {
      added: tracked(comparison.added, this.#context),
      modified: tracked(comparison.modified, this.#context),
      removed: tracked(comparison.removed, this.#context),
    }
  }
}

/** The fields of a set that the endpoint writes. */
export function tracked(set: FieldSet, { resetFields, onlyFields }: ApplyContext): FieldSet {
  const written = resetFields === undefined ? set : recursiveDifference(set, resetFields)
  return onlyFields === undefined ? written : included(written, onlyFields)
}
