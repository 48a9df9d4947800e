/** Symbol that marks maps. */
export const mapping = Symbol('mapping')

/** Map, or object whose fields are keys. */
export interface Mapping {
  readonly [mapping]: true
  readonly size: number
  /** Value for a key; undefined: absent. */
  find(key: unknown): unknown
  keys(): Iterable<unknown>
}

export function isMapping(value: unknown): value is Mapping {
  return typeof value === 'object' && value !== null && mapping in value
}

export function* entriesOf(map: Mapping): Iterable<[unknown, unknown]> {
  for (const key of map.keys()) yield [key, map.find(key)]
}
