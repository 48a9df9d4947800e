/** One field, as `name:number:type` says it in a descriptor. */
export interface FieldDescriptor {
  /** In JSON. Empty: a struct whose fields stand in JSON among those of the one around it. */
  name: string
  number: number
  shape: 'value' | 'pointer' | 'list' | 'map' | 'inline'
  /** Of the value, of the items or of the map's values; the keys of a map are strings. Another package's message has
   *  the package in front: `meta/v1.ObjectMeta`. */
  type: string
  /** What JSON leaves out: nothing (`!`), the zero time (`~`), or what is empty. */
  omit: 'never' | 'zero' | 'empty'
}

/** The messages of one package of Go types: a line for each, of its name and its fields in the order of JSON. */
export interface PackageDescriptor {
  /** The packages that its fields name. */
  imports: readonly string[]
  messages: string
}

/** The fields of each message, as one text. */
export function messageLines(messages: string): Map<string, string> {
  return new Map(
    messages
      .trim()
      .split('\n')
      .map((line) => {
        const end = line.indexOf(' ')
        return end < 0 ? [line, ''] : [line.slice(0, end), line.slice(end + 1)]
      }),
  )
}

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
