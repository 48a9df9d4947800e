import { typeNamed } from '../types/types.ts'
import { patchTypes } from '../types/patchTypes.ts'
import { mapping, type Mapping } from './mapping.ts'

/** Value of a named type, created by an expression. */
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

  /** Value of a field. Unset fields also have a value: null, or the empty string for strings. */
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
