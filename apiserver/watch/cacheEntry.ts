import { parseExact } from '../meta/json/exactJson.ts'
import type { StoredValue } from '../storage/storage.ts'
import type { ApiObject } from '../meta/types.ts'

/** The attributes that selectors match. */
export interface Attributes {
  labels: Readonly<Record<string, string>> | undefined
  /** The value of a field selector path; undefined: the object has no such path. */
  field: (path: string) => string | undefined
}

/**
 * Computes the values of a resource's own selectable field paths; metadata.name and metadata.namespace are built in.
 */
export type FieldsOf = (object: ApiObject) => Readonly<Record<string, string>>

/** A revision of one object in the cache. Shared by all readers and immutable. */
export class Entry {
  readonly key: string
  readonly revision: number
  /** The encoded object with a trailing line feed. */
  readonly bytes: Buffer
  #attributes: Attributes | undefined

  constructor(stored: StoredValue) {
    this.key = stored.key
    this.revision = stored.revision
    this.bytes = stored.value
  }

  /** A new parse, owned by the caller. */
  object(): ApiObject {
    // Sound: stored bytes are always encoded objects.
    return parseExact(this.bytes.toString('utf8')) as ApiObject
  }

  /** Attributes, parsed when a selector first needs them, then kept. */
  attributes(fieldsOf: FieldsOf): Attributes {
    if (this.#attributes === undefined) {
      const object = this.object()
      const { name, namespace, labels } = object.metadata
      const fields: Readonly<Record<string, string | undefined>> = {
        ...fieldsOf(object),
        'metadata.name': name,
        'metadata.namespace': namespace ?? '',
      }
      this.#attributes = { labels, field: (path) => fields[path] }
    }
    return this.#attributes
  }
}
