/**
 * Converts decoded `openapi.v2` messages back into JSON, only by the rules of that format: it
 * shares nothing with the encoder except for the descriptor.
 */

type Value = string | number | boolean | null | undefined | Value[] | Message
type Message = { [field: string]: Value }

/** Messages that only select one of several types by their single field. */
const choices = [
  'schema',
  'fileSchema',
  'parameter',
  'nonBodyParameter',
  'bodyParameter',
  'queryParameterSubSchema',
  'pathParameterSubSchema',
  'response',
  'apiKeySecurity',
]

/** JSON of a message; `path` and `operation` names become keys, YAML strings values. */
export function jsonOf(value: Value): Value {
  if (Array.isArray(value)) return value.map(jsonOf)
  if (typeof value !== 'object' || value === null) return value
  const [only, ...others] = Object.keys(value)
  if (only === 'yaml') return parsed(value.yaml)
  if (only === undefined) return {}
  if (others.length === 0 && only === 'value') return single(value.value)
  if (others.length === 0 && choices.includes(only)) {
    return unwrapped(value[only])
  }
  return fields(value)
}

function fields(message: Message): Value {
  const json: Message = {}
  for (const [name, value] of Object.entries(message)) {
    if (isNamedList(name, value)) Object.assign(json, named(value))
    else json[name === '_ref' ? '$ref' : name] = jsonOf(value)
  }
  return json
}

function isNamedList(name: string, value: Value): value is Message[] {
  const lists = ['vendorExtension', 'path', 'responseCode', 'additionalProperties']
  return lists.includes(name) && Array.isArray(value)
}

function named(list: Message[]): Message {
  return Object.fromEntries(list.map(({ name, value }) => [nameOf(name), jsonOf(value)]))
}

function nameOf(name: Value): string {
  if (typeof name !== 'string') throw new Error('an entry of a map has no name')
  return name
}

/** Items of an array, which are a list of one schema in the message. */
function unwrapped(value: Value): Value {
  return Array.isArray(value) ? jsonOf(value[0]) : jsonOf(value)
}

/** Type, which is a list of one in the message; scopes are a list of any length. */
function single(value: Value): Value {
  return Array.isArray(value) && value.length === 1 ? value[0] : jsonOf(value)
}

function parsed(yaml: Value): Value {
  if (typeof yaml !== 'string') throw new Error('a YAML text is not a string')
  // Sound: JSON.parse only returns JSON values.
  return JSON.parse(yaml) as Value
}
