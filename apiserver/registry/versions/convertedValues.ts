import { messageOf } from '../../meta/messageOf.ts'
import { plainError } from '../../meta/statusErrors.ts'
import { groupVersionString, type ApiObject } from '../../meta/types.ts'
import type { StoredValue } from '../../storage/storage.ts'
import { decodeObject, objectBytes } from '../objectBytes.ts'
import type { ResourceDefinition, StoredForm } from '../resource.ts'
import { inOrder } from './convertedObject.ts'
import type { RemoteConversion } from './remoteConversion.ts'

/** Limits of one call. */
const atOnce = { objects: 200, bytes: 1024 * 1024 }

export interface ConvertedValuesOptions {
  /** The version of the results. */
  resource: ResourceDefinition
  form: StoredForm & { remote: RemoteConversion }
}

/** Stored values in another version. Each is converted once, in one call for all that are requested together. */
export class ConvertedValues {
  readonly #options: ConvertedValuesOptions
  readonly #apiVersion: string
  readonly #known = new WeakMap<Buffer, Buffer>()
  readonly #asked = new WeakMap<Buffer, Promise<void>>()

  constructor(options: ConvertedValuesOptions) {
    this.#options = options
    this.#apiVersion = groupVersionString(options.resource)
  }

  /** Converted bytes; undefined: not loaded yet. */
  of(value: Buffer): Buffer | undefined {
    const known = this.#known.get(value)
    if (known !== undefined || !this.#isOwn(value)) return known
    const object = this.#options.form.fromStored(decodeObject(value))
    return this.#keep(value, object, object.metadata.resourceVersion)
  }

  /** Resolves when all values are converted. @throws StatusError. */
  async load(values: readonly StoredValue[]): Promise<void> {
    const missing = values.filter(({ value }) => this.of(value) === undefined)
    const waiting = missing.flatMap(({ value }) => this.#asked.get(value) ?? [])
    const asked = missing.filter(({ value }) => !this.#asked.has(value))
    const calls = this.#inTurn(batchesOf(asked))
    await Promise.all([...waiting, ...calls])
  }

  /** Makes calls in sequence: a long list must not occupy all connections. */
  #inTurn(batches: readonly (readonly StoredValue[])[]): Promise<void>[] {
    let before: Promise<void> = Promise.resolve()
    return batches.map((batch) => {
      const call = before.then(() => this.#convert(batch))
      for (const { value } of batch) this.#asked.set(value, call)
      const forget = () => {
        for (const { value } of batch) this.#asked.delete(value)
      }
      call.then(forget, forget)
      before = call
      return call
    })
  }

  async #convert(batch: readonly StoredValue[]): Promise<void> {
    const { form } = this.#options
    const objects = batch.map(({ value }) => withoutRevision(form.fromStored(decodeObject(value))))
    const converted = await form.remote.convert(objects, this.#apiVersion)
    batch.forEach(({ value, revision }, at) => {
      const object = converted[at]
      if (object !== undefined) this.#tryKeep(value, object, revision)
    })
  }

  /**
   * Caches a conversion, unless the webhook returned a value without a canonical form, such as a deeply nested list.
   */
  #tryKeep(value: Buffer, object: ApiObject, revision: number): void {
    try {
      this.#keep(value, object, revision)
    } catch (error) {
      throw plainError(messageOf(error), error)
    }
  }

  #keep(value: Buffer, object: ApiObject, revision: number | string | undefined): Buffer {
    const bytes = objectBytes(inOrder(object, this.#options.resource), revision)
    const kept = bytes.equals(value) ? value : bytes
    this.#known.set(value, kept)
    return kept
  }

  #isOwn(value: Buffer): boolean {
    return apiVersionOf(value) === this.#apiVersion
  }
}

/** The version of a stored object, which is at its start. */
function apiVersionOf(value: Buffer): string {
  const start = value.toString('utf8', 0, 512)
  return /^\{"kind":"[^"]*","apiVersion":"([^"]*)"/.exec(start)?.[1] ?? ''
}

/** Object in the form for conversion: as stored, without the revision. */
function withoutRevision(object: ApiObject): ApiObject {
  const { resourceVersion: _, ...metadata } = object.metadata
  return { ...object, metadata }
}

function batchesOf(values: readonly StoredValue[]): StoredValue[][] {
  const batches: StoredValue[][] = []
  let bytes = Infinity
  for (const stored of values) {
    const batch = batches.at(-1)
    const isFull = batch === undefined || batch.length >= atOnce.objects
    if (isFull || bytes + stored.value.length > atOnce.bytes) {
      batches.push([stored])
      bytes = stored.value.length
    } else {
      batch.push(stored)
      bytes += stored.value.length
    }
  }
  return batches
}
