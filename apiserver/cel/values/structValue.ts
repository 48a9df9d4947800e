import { typeNamed } from '../types/types.ts'
import { patchTypes } from '../types/patchTypes.ts'
import { mapping, type Mapping } from './mapping.ts'

/** A value of a named type that an expression creates. */
export class StructValue implements Mapping {
  readonly [mapping] = true
  readonly typeName: string
  readonly #fields: ReadonlyMap<string, unknown>

  constructor(typeName: string, fields: ReadonlyMap<string, unknown>) {
    this.typeName = typeName
    this.#fields = fields
  }

  get size(): number {
    return this.#fields.size
  }

  /** Unset fields have a value nonetheless: null, or the empty string if they are strings. */
  find(key: unknown): unknown {
    if (typeof key !== 'string') return undefined
    return this.#fields.get(key) ?? (isText(this.typeName, key) ? '' : null)
  }

  has(key: unknown): boolean {
    return typeof key === 'string' && this.#fields.has(key)
  }

  keys(): Iterable<string> {
    return this.#fields.keys()
  }
}

function isText(typeName: string, field: string): boolean {
  return patchTypes.typeOf(typeName)?.fieldOf?.(field) === typeNamed('string')
}
