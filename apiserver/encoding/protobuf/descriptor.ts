/** A field, written as `name:number:type` in a descriptor. */
export interface FieldDescriptor {
  /** Name in JSON. Empty: a struct with fields inlined in JSON. */
  name: string
  number: number
  shape: 'value' | 'pointer' | 'list' | 'map' | 'inline'
  /**
   * Type of the value, of the items or of the map's values; the keys of a map are strings. A message of another package
   * is prefixed with the package: `meta/v1.ObjectMeta`.
   */
  type: string
  /** Values omitted in JSON: none (`!`), the zero time (`~`), or empty ones. */
  omit: 'never' | 'zero' | 'empty'
}

/** The messages of each package of Go types, with their fields in the order of JSON. */
export type Messages = Readonly<Record<string, Readonly<Record<string, string>>>>

export function parseFields(line: string): FieldDescriptor[] {
  return line === '' ? [] : line.split(' ').map(parseField)
}

const shapes = [
  { prefix: '*', shape: 'pointer' },
  { prefix: '[]', shape: 'list' },
  { prefix: '{}', shape: 'map' },
] as const

const omits = { '!': 'never', '~': 'zero' } as const

function parseField(text: string): FieldDescriptor {
  const [, name = '', number, prefixed = '', mark] = /^(.*):(\d+):(.*?)([!~]?)$/.exec(text) ?? []
  const { prefix, shape } = shapes.find((entry) => prefixed.startsWith(entry.prefix)) ?? {
    prefix: '',
    shape: name === '' ? ('inline' as const) : ('value' as const),
  }
  const omit = mark === '!' || mark === '~' ? omits[mark] : 'empty'
  return { name, number: Number(number), shape, type: prefixed.slice(prefix.length), omit }
}
