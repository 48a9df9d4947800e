/**
 * Type of the language. Types with the same members are equal, except for object types, of which
 * each schema creates its own.
 */
export interface CelType {
  readonly kind: Kind
  /** Name of a type parameter or of a library type. */
  readonly name: string
  /** Parameters: item of a list, key and value of a map, content of an optional. */
  readonly of: readonly CelType[]
  /** Type of an object's field; undefined: unknown field. */
  readonly fieldOf?: (name: string) => CelType | undefined
}

export type Kind =
  ScalarKind | ('dyn' | 'type' | 'list' | 'map' | 'object' | 'optional' | 'opaque' | 'param')

type ScalarKind =
  ('null' | 'bool' | 'int' | 'uint' | 'double' | 'string' | 'bytes') | ('duration' | 'timestamp')

const simpleKinds = [
  ...(['null', 'bool', 'int', 'uint', 'double', 'string', 'bytes', 'duration'] as const),
  ...(['timestamp', 'dyn', 'type'] as const),
]

const simple = new Map<string, CelType>(
  simpleKinds.map((kind) => [kind, { kind, name: kind, of: [] }]),
)

/** Library types. Quantities, versions, formats and URLs are objects without fields. */
const brought = new Map<string, CelType>([
  ...['net.IP', 'net.CIDR'].map(
    (name) => [name, { kind: 'opaque', name, of: [] }] as [string, CelType],
  ),
  ...['Quantity', 'Semver', 'NamedFormat', 'URL'].map((name): [string, CelType] => [
    `kubernetes.${name}`,
    { kind: 'object', name: `kubernetes.${name}`, of: [] },
  ]),
  ...['PathCheck', 'GroupCheck', 'ResourceCheck', 'Decision'].map((of): [string, CelType] => {
    const name = `kubernetes.authorization.${of}`
    return [name, { kind: 'object', name, of: [] }]
  }),
  [
    'kubernetes.authorization.Authorizer',
    {
      kind: 'object',
      name: 'kubernetes.authorization.Authorizer',
      of: [],
      fieldOf: (name) =>
        name === 'requestResource'
          ? typeNamed('kubernetes.authorization.ResourceCheck')
          : undefined,
    },
  ],
])

/** Type by its name. @throws Error for an unknown name. */
export function typeNamed(name: string): CelType {
  const found = simple.get(name) ?? brought.get(name)
  if (found === undefined) throw new Error(`no type ${name}`)
  return found
}

export const dyn = typeNamed('dyn')

export function listOf(item: CelType): CelType {
  return { kind: 'list', name: 'list', of: [item] }
}

export function mapOf(key: CelType, value: CelType): CelType {
  return { kind: 'map', name: 'map', of: [key, value] }
}

export function optionalOf(value: CelType): CelType {
  return { kind: 'optional', name: 'optional_type', of: [value] }
}

export function parameter(name: string): CelType {
  return { kind: 'param', name, of: [] }
}

const anonymous = 'object'

export function objectType(fieldOf: (name: string) => CelType | undefined): CelType {
  return { kind: 'object', name: anonymous, of: [], fieldOf }
}

/** Parameter of a type; `dyn` if unknown. */
export function part(type: CelType, at: number): CelType {
  return type.of[at] ?? dyn
}

/** Object type with a name; it equals other types of the same name. */
export function namedObject(
  name: string,
  fieldOf: (field: string) => CelType | undefined,
): CelType {
  return { kind: 'object', name, of: [], fieldOf }
}

export function isSameType(a: CelType, b: CelType): boolean {
  if (a === b) return true
  if (a.kind !== b.kind || a.name !== b.name || a.of.length !== b.of.length) return false
  if (a.kind === 'object') return a.name !== anonymous
  return a.of.every((one, at) => isSameType(one, part(b, at)))
}

/** Type as the API writes it. */
export function typeText(type: CelType): string {
  const { name, of } = type
  if (of.length > 0) return `${name}(${of.map(typeText).join(', ')})`
  return name
}

/** Type names that expressions may use. */
export const typeNames: ReadonlySet<string> = new Set([
  ...['bool', 'int', 'uint', 'double', 'string', 'bytes', 'list', 'map', 'type', 'null_type'],
  ...['google.protobuf.Duration', 'google.protobuf.Timestamp', 'optional_type'],
  ...brought.keys(),
])
