import type { Reader, Writer } from 'protobufjs'
import { DecodeProblem, type ReadContext, type ValueType } from './valueType.ts'

/** Decoded fields of a message, by their positions in the descriptor. */
export type Slots = unknown[]

/** A compiled field of a message. */
export interface Field {
  /** Name in JSON; empty for an inlined struct. */
  readonly name: string
  readonly number: number
  /** Reads a value of the field into its slot.
   *  @throws DecodeProblem for a value of another wire type. */
  read(context: ReadContext, slots: Slots, wireType: number): void
  /** Sets the member of the JSON object, or omits it as Go's JSON encoder would. */
  emit(target: Record<string, unknown>, slots: Readonly<Slots>): void
  /**
   * Writes the member of the JSON object as Go's encoder would: always, except for pointers, lists and maps.
   * @throws EncodeProblem for a value of another type.
   */
  write(writer: Writer, source: Readonly<Record<string, unknown>>): void
}

export function tagOf(number: number, { wireType }: ValueType): number {
  return (number << 3) | wireType
}

export function checkWireType(wireType: number, want: number, name: string): void {
  if (wireType === want) return
  throw new DecodeProblem(`proto: wrong wireType = ${wireType} for field ${name}`)
}

/** The end of the next length-prefixed value. */
export function endOf(reader: Reader): number {
  return reader.size() + reader.pos
}

/** Checks that a value ended with its message. @throws DecodeProblem otherwise. */
export function checkEnd(reader: Reader, end: number): void {
  if (reader.pos !== end) throw new DecodeProblem('unexpected EOF')
}
