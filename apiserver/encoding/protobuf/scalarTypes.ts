import type { Reader, Writer } from 'protobufjs'
import { exactInteger } from '../../meta/json/integers.ts'
import { DecodeProblem, EncodeProblem, type ReadContext, type ValueType } from './valueType.ts'

/** Scalar types by their names in the descriptors. An int64 beyond 2^53 is a bigint. */
export const scalarTypes: Readonly<Record<string, ValueType>> = {
  string: {
    wireType: 2,
    zero: '',
    read: ({ reader }) => readText(reader),
    toJson: (read) => read ?? '',
    write: (writer, json) => writeText(writer, checked(json, 'string', '')),
    isEmpty: (json) => json === '',
  },
  bool: {
    wireType: 0,
    zero: false,
    read: ({ reader }) => reader.bool(),
    toJson: (read) => read ?? false,
    write: (writer, json) => void writer.bool(checked(json, 'boolean', false)),
    isEmpty: (json) => json === false,
  },
  int32: numberType(
    0,
    ({ reader }) => reader.int32(),
    (writer, value) => writer.int32(integer(value, 2 ** 31)),
  ),
  int64: {
    wireType: 0,
    zero: 0,
    read: ({ reader }) => readInt64(reader),
    toJson: (read) => read ?? 0,
    write: (writer, json) => void writeInt64(writer, json),
    isEmpty: (json) => json === 0,
  },
  double: numberType(
    1,
    ({ reader }) => reader.double(),
    (writer, value) => writer.double(value),
  ),
  /** Bytes, base64 in JSON. */
  bytes: {
    ...nullableBytes(),
    read: ({ reader }) => base64(reader.bytes()),
    write: (writer, json) => void writer.bytes(Buffer.from(checked(json, 'string', ''), 'base64')),
  },
  /** Raw bytes: part of types with a JSON form of their own. */
  buffer: {
    ...nullableBytes(),
    read: ({ reader }) => reader.bytes(),
    // Sound: only the forms of this folder use it, with a Buffer or undefined.
    write: (writer, value) => void writer.bytes((value ?? Buffer.alloc(0)) as Buffer),
  },
}

function numberType(
  wireType: 0 | 1,
  read: (context: ReadContext) => number,
  write: (writer: Writer, value: number) => Writer,
): ValueType {
  return {
    wireType,
    zero: 0,
    read,
    toJson: (value) => value ?? 0,
    write: (writer, json) => void write(writer, checked(json, 'number', 0)),
    isEmpty: (json) => json === 0,
  }
}

function nullableBytes(): Pick<ValueType, 'wireType' | 'emptyJson' | 'toJson' | 'isEmpty'> {
  return {
    wireType: 2,
    emptyJson: () => '',
    toJson: (read) => read ?? null,
    isEmpty: (json) => json === null || json === '',
  }
}

/** Reads a string. @throws DecodeProblem for invalid UTF-8. */
export function readText(reader: Reader): string {
  const start = reader.pos
  // Go also writes empty fields: most strings of an object are empty.
  if (reader.buf[start] === 0 && start < reader.len) {
    reader.pos++
    return ''
  }
  const text = reader.string()
  if (!text.includes('\ufffd')) return text
  // The bytes themselves may contain U+FFFD.
  reader.pos = start
  try {
    return reader.stringVerify()
  } catch (cause) {
    throw new DecodeProblem('proto: string field contains invalid UTF-8', { cause })
  }
}

/** Writes a string. Unpaired surrogates, which UTF-8 cannot encode, become U+FFFD. */
export function writeText(writer: Writer, text: string): void {
  writer.string(/[\ud800-\udfff]/.test(text) ? Buffer.from(text).toString() : text)
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
}

function readInt64(reader: Reader): number | bigint {
  const value: { toString: () => string } = reader.int64()
  return exactInteger(BigInt(value.toString()))
}

function writeInt64(writer: Writer, json: unknown): Writer {
  // The JSON decoder never returns larger integers.
  if (typeof json === 'bigint') return writer.int64(String(json))
  return writer.int64(integer(checked(json, 'number', 0), 2 ** 63))
}

function integer(value: number, limit: number): number {
  if (!Number.isInteger(value) || value < -limit || value >= limit) {
    throw new EncodeProblem('integer', value)
  }
  return value
}

interface Primitives {
  string: string
  number: number
  boolean: boolean
}

function checked<T extends keyof Primitives>(
  json: unknown,
  type: T,
  zero: Primitives[T],
): Primitives[T] {
  if (json === null || json === undefined) return zero
  if (typeof json !== type) throw new EncodeProblem(type, json)
  // Sound: typeof returned the name that Primitives has for this type.
  return json as Primitives[T]
}
