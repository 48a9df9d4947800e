import type protobuf from 'protobufjs/light.js'

/**
 * Converts a decoded `openapi.v3` message back into JSON, by the types of the descriptor: it shares
 * nothing else with the encoder.
 */
export function jsonOfV3(type: protobuf.Type, value: unknown): unknown {
  const message = asMessage(value)
  if (type.name === 'Any') return parsed(message['yaml'])
  const members = Object.entries(message).map(([name, member]): [string, unknown] => [
    name,
    memberJson(type, name, member),
  ])
  const [only] = members
  if (type.name === 'ItemsItem') return asList(only?.[1])[0]
  if (type.name === 'StringArray') return only?.[1] ?? []
  if (isChoice(type)) return only?.[1] ?? {}
  return Object.assign(
    {},
    ...members.map(([name, member]) =>
      isNamed(type, name) ? member : { [name === '_ref' ? '$ref' : name]: member },
    ),
  )
}

function memberJson(type: protobuf.Type, name: string, member: unknown): unknown {
  const field = type.fields[name]
  const item = field?.resolvedType
  // Every resolved type is a message, since there are no enumerations.
  const of = (one: unknown) => (item ? jsonOfV3(item as protobuf.Type, one) : one)
  if (!isNamed(type, name)) return Array.isArray(member) ? member.map(of) : of(member)
  const entries = asList(member).map((entry) => {
    const { name: key, value } = asMessage(of(entry))
    return [String(key), value ?? {}] as const
  })
  return Object.fromEntries(entries)
}

/** Map, which is a list of names and values in the message. */
function isNamed(type: protobuf.Type, name: string): boolean {
  return type.fields[name]?.resolvedType?.name.startsWith('Named') === true
}

/** Message that only selects one of several types. */
function isChoice({ name }: protobuf.Type): boolean {
  return /^(?!Named).*OrReference$|^AdditionalPropertiesItem$|^DefaultType$/.test(name)
}

function asMessage(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) throw new Error('a message is no object')
  return value as Record<string, unknown> // an object has members
}

function asList(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new Error('a list is no array')
  return value
}

function parsed(yaml: unknown): unknown {
  if (typeof yaml !== 'string') throw new Error('a YAML text is not a string')
  return JSON.parse(yaml)
}
