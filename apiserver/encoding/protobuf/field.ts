import type { Reader, Writer } from 'protobufjs'
import { DecodeProblem, type ReadContext, type ValueType } from './valueType.ts'

/** What was read of a message, by the places of its fields in the descriptor. */
export type Slots = unknown[]

/** One field of a message, compiled. */
export interface Field {
  /** In JSON; empty for an inlined struct. */
  readonly name: string
  readonly number: number
  /** Reads a value of the field into its slot.
   *  @throws DecodeProblem for a value of another wire type. */
  read(context: ReadContext, slots: Slots, wireType: number): void
  /** Sets the member of the JSON object, or leaves it out as Go's JSON encoder would. */
  emit(target: Record<string, unknown>, slots: Readonly<Slots>): void
  /** Writes the member of the JSON object as Go's encoder would: what is no pointer, list or map always.
   *  @throws EncodeProblem for a value of another type. */
  write(writer: Writer, source: Readonly<Record<string, unknown>>): void
}

export function tagOf(number: number, { wireType }: ValueType): number {
  return (number << 3) | wireType
}

export function checkWireType(wireType: number, want: number, name: string): void {
  if (wireType === want) return
  throw new DecodeProblem(`proto: wrong wireType = ${wireType} for field ${name}`)
}

/** The end of what comes next, which begins with its length. */
export function endOf(reader: Reader): number {
  return reader.size() + reader.pos
}

/** @throws DecodeProblem when something was longer than the message it is in. */
export function checkEnd(reader: Reader, end: number): void {
  if (reader.pos !== end) throw new DecodeProblem('unexpected EOF')
}
