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

/** The fields of a message type, created when it is first used: types may contain themselves. */
export interface MessageFields {
  /** Fields in the order of JSON. */
  fields: readonly Field[]
  /** Number of objects in the JSON form of an empty message. */
  weight: number
}

interface Layout extends MessageFields {
  byNumber: readonly (Field | undefined)[]
  /** Fields in the order of the wire. */
  ascending: readonly Field[]
  /** Slots of an absent message, of full length, because reading beyond the end of an array is slow. */
  absent: Readonly<Slots>
}

/**
 * A type that is a message on the wire and an object in JSON. It decodes to slots, so that parts of a message can be
 * merged.
 */
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
    // Sound: `before` is the result of an earlier call.
    return this.#readUntil(context, before as Slots | undefined, endOf(context.reader))
  }

  toJson(read: unknown): Record<string, unknown> {
    const target = {}
    this.emitInto(target, read)
    return target
  }

  emitInto(target: Record<string, unknown>, read: unknown): void {
    const { fields, absent } = this.#fields()
    // Sound: the result of read(), or undefined.
    const slots = (read ?? absent) as Readonly<Slots>
    for (const field of fields) field.emit(target, slots)
  }

  write(writer: Writer, json: unknown): void {
    writer.fork()
    this.writeFields(writer, json)
    writer.ldelim()
  }

  /** Writes the message without its length. `override` replaces the encoding of one field. */
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

/** Replaces the encoding of one field. */
export interface Override {
  name: string
  write(fieldNumber: number): void
}

/**
 * Maximum nesting of messages. Each is at most two levels of JSON, and the innermost may contain
 * raw JSON: the depth of a body is at most a few times that of JSON.
 */
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
