import { withCondition, withoutCondition } from '../../../meta/condition.ts'
import type { NamesProfile } from '../../../meta/names/namesProfile.ts'
import type { ApiObject } from '../../../meta/types.ts'
import type { Strategy } from '../../../registry/strategy.ts'
import type { DataMap } from '../../kubernetes/core/configData.ts'
import { withAnnotation } from '../annotations.ts'
import type { SecretForm } from './secretForm.ts'
import { StoreMarks, type StorePlace } from './storeMarks.ts'

/** The state of both sides at the last sync. */
interface SyncBase extends StorePlace {
  version: number
  isDeleted: boolean
  digest: string
}

interface Change {
  data?: DataMap
  base?: SyncBase | null
  isHeld?: boolean
  condition?: { isReady: boolean; reason: string; message: string }
}

export interface StoreSyncedParts {
  names: NamesProfile
  form: SecretForm
  strategy: Strategy
}

/** Syncs the objects of one kind with a secret store. */
export class StoreSynced {
  readonly word: string
  readonly strategy: Strategy
  readonly #form: SecretForm
  readonly #marks: StoreMarks

  constructor({ names, form, strategy }: StoreSyncedParts) {
    this.#form = form
    this.#marks = new StoreMarks(names)
    this.word = this.#marks.word
    this.strategy = strategy
  }

  place(object: ApiObject): StorePlace | undefined {
    return this.#marks.place(object)
  }

  base({ metadata }: ApiObject): SyncBase | undefined {
    const text = metadata.annotations?.[this.#marks.syncedAnnotation]
    // Only the server writes the annotation.
    return text === undefined ? undefined : (JSON.parse(text) as SyncBase)
  }

  data(object: ApiObject): DataMap {
    return this.#form.data(object)
  }

  isHeld(object: ApiObject): boolean {
    return this.#marks.isHeld(object)
  }

  changed(object: ApiObject, change: Change, nowMs: number): ApiObject {
    const { data, base, isHeld, condition } = change
    let next = data === undefined ? object : this.#form.withData(object, data)
    if (base !== undefined) next = this.#withBase(next, base)
    if (isHeld !== undefined) next = this.#withHold(next, isHeld)
    return condition === undefined ? next : this.#withCondition(next, condition, nowMs)
  }

  #withBase(object: ApiObject, base: SyncBase | null): ApiObject {
    const { syncedAnnotation, condition } = this.#marks
    if (base !== null) return withAnnotation(object, syncedAnnotation, JSON.stringify(base))
    const conditions = this.#form.conditions(object)
    const left = withoutCondition(conditions, condition)
    const next = withAnnotation(object, syncedAnnotation, undefined)
    return left.length === conditions.length ? next : this.#form.withConditions(next, left)
  }

  #withHold(object: ApiObject, isHeld: boolean): ApiObject {
    if (isHeld === this.isHeld(object)) return object
    const { finalizer } = this.#marks
    const { finalizers = [], ...metadata } = object.metadata
    const next = isHeld
      ? [...finalizers, finalizer]
      : finalizers.filter((other) => other !== finalizer)
    return {
      ...object,
      metadata: { ...metadata, ...(next.length === 0 ? {} : { finalizers: next }) },
    }
  }

  #withCondition(
    object: ApiObject,
    { isReady, reason, message }: NonNullable<Change['condition']>,
    nowMs: number,
  ): ApiObject {
    const wanted = {
      type: this.#marks.condition,
      status: isReady ? ('True' as const) : ('False' as const),
      ...(isReady ? {} : { severity: 'Error' as const }),
      reason,
      message,
    }
    const conditions = withCondition(this.#form.conditions(object), wanted, nowMs)
    return this.#form.withConditions(object, conditions)
  }
}
