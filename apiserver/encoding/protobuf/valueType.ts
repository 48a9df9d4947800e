import type { Reader, Writer } from 'protobufjs'

/** The state of decoding one body. */
export interface ReadContext {
  readonly reader: Reader
  /** Messages around the one being read. */
  depth: number
  /** How many objects decoding may still make. */
  objects: number
}

/** How the values of one type stand on the wire and in JSON. */
export interface ValueType {
  readonly wireType: 0 | 1 | 2
  /** Objects that a value costs at the least; undefined for what is none. */
  readonly weight?: number
  /** The zero value, of types whose values are read in their JSON form and of which it is the only one that
   *  `omitempty` leaves out: nothing has to be asked about them. */
  readonly zero?: string | number | boolean
  /** For types whose zero value is null in JSON: that is not written where other zero values are. Gives what an empty
   *  value on the wire is then. */
  readonly emptyJson?: () => unknown
  /** What comes next on the wire, not yet in its last form: a message that comes in parts is added to what was read
   *  `before`, other values replace it. */
  read(context: ReadContext, before?: unknown): unknown
  /** The JSON form of what was read; the zero value when nothing was. */
  toJson(read: unknown): unknown
  /** Writes what follows the tag. Null and undefined are the zero value.
   *  @throws EncodeProblem for a value of another type. */
  write(writer: Writer, json: unknown): void
  /** Whether Go's `omitempty` leaves the value out. */
  isEmpty(json: unknown): boolean
}

/** A value that does not fit its field. */
export class EncodeProblem extends Error {
  readonly #why: string
  #path = ''

  constructor(want: string, got: unknown) {
    const type = got === null ? 'null' : Array.isArray(got) ? 'array' : typeof got
    const why = `${want} expected, not ${type}`
    super(why)
    this.#why = why
  }

  /** Tells the name of the field that the value is in, from the inside out. */
  within(name: string): void {
    this.#path = this.#path === '' ? name : `${name}.${this.#path}`
    this.message = `${this.#path}: ${this.#why}`
  }
}

/** Bytes that are no message of their type. */
export class DecodeProblem extends Error {}

/** @throws DecodeProblem for more objects than decoding may make. */
export function countObjects(context: ReadContext, count: number): void {
  context.objects -= count
  if (context.objects < 0) throw new DecodeProblem('too many messages')
}

/** @throws EncodeProblem for what is no JSON object. */
export function objectOrEmpty(json: unknown): Readonly<Record<string, unknown>> {
  if (json === null || json === undefined) return {}
  if (typeof json !== 'object' || Array.isArray(json)) throw new EncodeProblem('object', json)
  // Neither null nor an array: an object whose members may be anything.
  return json as Record<string, unknown>
}
