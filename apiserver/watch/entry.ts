import { parseExact } from '../meta/json/exactJson.ts'
import type { StoredValue } from '../storage/storage.ts'
import type { ApiObject } from '../meta/types.ts'

/** What selectors look at. */
export interface Attributes {
  labels: Readonly<Record<string, string>> | undefined
  /** The value of a field selector path; undefined: the object has no such path. */
  field: (path: string) => string | undefined
}

/** Gives the values of a resource's own selectable field paths; metadata.name and metadata.namespace need none. */
export type FieldsOf = (object: ApiObject) => Readonly<Record<string, string>>

/** One revision of one object as the cache keeps it. Shared by every reader: never changed. */
export class Entry {
  readonly key: string
  readonly revision: number
  /** The encoded object, with a line feed at its end. */
  readonly bytes: Buffer
  #attributes: Attributes | undefined

  constructor(stored: StoredValue) {
    this.key = stored.key
    this.revision = stored.revision
    this.bytes = stored.value
  }

  /** A fresh parse, the caller's own. */
  object(): ApiObject {
    // Stored bytes are only ever encoded objects.
    return parseExact(this.bytes.toString('utf8')) as ApiObject
  }

  /** Parsed at the first selector that asks, then kept. */
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
