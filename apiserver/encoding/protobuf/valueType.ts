import type { Reader, Writer } from 'protobufjs'

/** The state of decoding one body. */
export interface ReadContext {
  readonly reader: Reader
  /** Number of messages around the current one. */
  depth: number
  /** Number of objects that decoding may still create. */
  objects: number
}

/** The encoding of values of one type on the wire and in JSON. */
export interface ValueType {
  readonly wireType: 0 | 1 | 2
  /** Minimum number of objects for a value; undefined for scalars. */
  readonly weight?: number
  /**
   * Zero value of types that are decoded directly to JSON and for which `omitempty` omits only the
   * zero value, so that they need no further checks.
   */
  readonly zero?: string | number | boolean
  /**
   * JSON value of an empty message on the wire. Present for types with a zero value that is null in
   * JSON and is not written.
   */
  readonly emptyJson?: () => unknown
  /**
   * Reads the next value in intermediate form: parts of a message are merged with `before`, other
   * values replace it.
   */
  read(context: ReadContext, before?: unknown): unknown
  /** The JSON form of a decoded value; the zero value if it was absent. */
  toJson(read: unknown): unknown
  /**
   * Writes the part after the tag. Null and undefined are the zero value.
   * @throws EncodeProblem for a value of another type.
   */
  write(writer: Writer, json: unknown): void
  /** Reports whether Go's `omitempty` omits the value. */
  isEmpty(json: unknown): boolean
}

/** Thrown if a value does not match its field. */
export class EncodeProblem extends Error {
  readonly #why: string
  #path = ''

  constructor(want: string, got: unknown) {
    const type = got === null ? 'null' : Array.isArray(got) ? 'array' : typeof got
    const why = `${want} expected, not ${type}`
    super(why)
    this.#why = why
  }

  /** Adds the name of the enclosing field, from the inside out. */
  within(name: string): void {
    this.#path = this.#path === '' ? name : `${name}.${this.#path}`
    this.message = `${this.#path}: ${this.#why}`
  }
}

/** Thrown for bytes that are not a message of their type. */
export class DecodeProblem extends Error {}

/** Counts created objects. @throws DecodeProblem if there are too many. */
export function countObjects(context: ReadContext, count: number): void {
  context.objects -= count
  if (context.objects < 0) throw new DecodeProblem('too many messages')
}

/** An object, or an empty one for null and undefined. @throws EncodeProblem for other values. */
export function objectOrEmpty(json: unknown): Readonly<Record<string, unknown>> {
  if (json === null || json === undefined) return {}
  if (typeof json !== 'object' || Array.isArray(json)) throw new EncodeProblem('object', json)
  // Sound: neither null nor an array, so an object with unknown members.
  return json as Record<string, unknown>
}
