/** The fields of a protobuf message by their names in the descriptor. */
export type Message = Record<string, unknown>

/** A map, which this format writes as a list of names and values. */
export function namedList<T>(map: Record<string, T>, message: (value: T) => unknown): Message[] {
  return Object.entries(map).map(([name, value]) => ({ name, value: message(value) }))
}

/** A value of any type travels as YAML text; JSON is YAML. */
export function anyMessage(value: unknown): Message {
  return { yaml: JSON.stringify(value) }
}

/** The `x-` words of an object. */
export function vendorExtensions(object: object): Message[] {
  const extensions = Object.entries(object).filter(([word]) => word.startsWith('x-'))
  return namedList(Object.fromEntries(extensions), anyMessage)
}
