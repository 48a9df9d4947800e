import type { PublishedSchema } from '../publishedSchema.ts'
import { jsonText } from '../../apiserver/meta/json/exactJson.ts'

/** Fields of a protobuf message by their names in the descriptor. */
export type Message = Record<string, unknown>

/** Entries of a large map, each created on demand. */
export function* eachNamed<T>(
  map: Record<string, T>,
  message: (value: T) => unknown,
): Generator<Message> {
  for (const [name, value] of Object.entries(map)) yield { name, value: message(value) }
}

/** Map as a list of names and values. */
export function namedList<T>(map: Record<string, T>, message: (value: T) => unknown): Message[] {
  return Object.entries(map).map(([name, value]) => ({ name, value: message(value) }))
}

/** Value of any type as YAML, of which JSON is a subset. */
export function anyMessage(value: unknown): Message {
  return { yaml: jsonText(value) }
}

/** `x-` keywords of an object. */
export function vendorExtensions(object: object): Message[] {
  const extensions = Object.entries(object).filter(([word]) => word.startsWith('x-'))
  return namedList(Object.fromEntries(extensions), anyMessage)
}

/** Keywords of a schema that are equal in JSON and in the messages of both versions. */
const plainWords = [
  'format',
  'description',
  'title',
  'externalDocs',
  'uniqueItems',
  'maximum',
  'exclusiveMaximum',
  'minimum',
  'exclusiveMinimum',
  'multipleOf',
  'maxLength',
  'minLength',
  'pattern',
  'maxItems',
  'uniqueItems',
  'minItems',
  'maxProperties',
  'minProperties',
  'required',
] as const

export function plainFields(schema: PublishedSchema): Message {
  const present = plainWords.filter((word) => schema[word] !== undefined)
  return Object.fromEntries(present.map((word) => [word, schema[word]]))
}
