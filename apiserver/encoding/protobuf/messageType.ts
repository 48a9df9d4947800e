import type { Reader, Writer } from 'protobufjs'
import { checkEnd, endOf, type Field, type Slots } from './field.ts'
import type { InlineType } from './singleFields.ts'
import {
  countObjects,
  DecodeProblem,
  EncodeProblem,
  objectOrEmpty,
  type ReadContext,
} from './valueType.ts'

/** The fields of a message type, made when it is first used: types may contain themselves. */
export interface MessageFields {
  /** In the order of JSON. */
  fields: readonly Field[]
  /** Objects that the JSON form of an empty message has. */
  weight: number
}

interface Layout extends MessageFields {
  byNumber: readonly (Field | undefined)[]
  /** In the order of the wire. */
  ascending: readonly Field[]
  /** Of a message that is not there: of full length, because reading beyond the end of an array is slow. */
  absent: Readonly<Slots>
}

/** A type that is a message on the wire and an object in JSON. What it reads are slots, so that a message that comes in
 *  parts can be put together. */
export class MessageType implements InlineType {
  readonly wireType = 2
  readonly #define: () => MessageFields
  #layout: Layout | undefined

  constructor(define: () => MessageFields) {
    this.#define = define
  }

  get weight(): number {
    return this.#fields().weight
  }

  /** Reads to the end of the reader. */
  readAll(context: ReadContext): Slots {
    return this.#readUntil(context, undefined, context.reader.len)
  }

  read(context: ReadContext, before?: unknown): Slots {
    // What an earlier call of this function gave.
    return this.#readUntil(context, before as Slots | undefined, endOf(context.reader))
  }

  toJson(read: unknown): Record<string, unknown> {
    const target = {}
    this.emitInto(target, read)
    return target
  }

  emitInto(target: Record<string, unknown>, read: unknown): void {
    const { fields, absent } = this.#fields()
    // What read() gave, or nothing.
    const slots = (read ?? absent) as Readonly<Slots>
    for (const field of fields) field.emit(target, slots)
  }

  write(writer: Writer, json: unknown): void {
    writer.fork()
    this.writeFields(writer, json)
    writer.ldelim()
  }

  /** The message without its length. `override`: writes the field of that name instead of the field itself. */
  writeFields(writer: Writer, json: unknown, override?: Override): void {
    const source = objectOrEmpty(json)
    let name = ''
    try {
      for (const field of this.#fields().ascending) {
        name = field.name
        if (name === override?.name) override.write(field.number)
        else field.write(writer, source)
      }
    } catch (error) {
      const isNamed = name !== '' && name !== override?.name
      if (error instanceof EncodeProblem && isNamed) error.within(name)
      throw error
    }
  }

  isEmpty(): boolean {
    return false
  }

  #readUntil(context: ReadContext, before: Slots | undefined, end: number): Slots {
    const { byNumber, weight, absent } = this.#fields()
    countObjects(context, weight)
    if (++context.depth > maxDepth) throw new DecodeProblem('exceeded max depth')
    const slots = before ?? absent.slice()
    const { reader } = context
    while (reader.pos < end) {
      const tag = reader.tag()
      const field = byNumber[tag >>> 3]
      if (field === undefined) skip(reader, tag)
      else field.read(context, slots, tag & 7)
    }
    checkEnd(reader, end)
    context.depth--
    return slots
  }

  #fields(): Layout {
    return (this.#layout ??= layoutOf(this.#define()))
  }
}

/** Writes one field of a message in another way. */
export interface Override {
  name: string
  write(fieldNumber: number): void
}

/** Messages within messages. Each is at most two levels of JSON, and raw JSON may be in the last: a body stays within
 *  a few times the depth that JSON may have. */
const maxDepth = 500

function layoutOf({ fields, weight }: MessageFields): Layout {
  const byNumber: Field[] = []
  for (const field of fields) byNumber[field.number] = field
  const ascending = fields.toSorted((a, b) => a.number - b.number)
  return { fields, weight, byNumber, ascending, absent: fields.map(() => undefined) }
}

function skip(reader: Reader, tag: number): void {
  reader.skipType(tag & 7, 0, tag >>> 3)
}
