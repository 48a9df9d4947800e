import { converted, sizeOf } from '../cost/actualCosts.ts'
import { bytesToText, textToBytes } from '../cost/estimates.ts'
import { parseInt64, parseUint64 } from '../../meta/json/integers.ts'
import { checkedMoment, durationText, momentOf, momentText } from '../values/moments.ts'
import { typeNameOf } from '../values/kinds.ts'
import type { Timestamp } from '../values/scalars.ts'
import { Duration, int64, TypeValue, uint64, Unsigned } from '../values/scalars.ts'
import { durationNanoseconds } from '../../registry/formats/durationFormat.ts'
import { goFloat } from '../../meta/goFloat.ts'
import { each, type FunctionTable } from './row.ts'

const itself = (value: unknown) => value

function unconvertible(from: string, to: string): Error {
  return new Error(`type conversion error from '${from}' to '${to}'`)
}

const booleans: Readonly<Record<string, boolean>> = {
  ...{ '1': true, t: true, T: true, true: true, TRUE: true, True: true },
  ...{ '0': false, f: false, F: false, false: false, FALSE: false, False: false },
}

function boolOf(text: string): boolean {
  const found = Object.hasOwn(booleans, text) ? booleans[text] : undefined
  if (found === undefined) throw unconvertible('string', 'bool')
  return found
}

function intOf(text: string): bigint {
  const found = parseInt64(text)
  if (found === undefined) throw unconvertible('string', 'int')
  return found
}

function uintOf(text: string): Unsigned {
  const found = parseUint64(text)
  if (found === undefined) throw unconvertible('string', 'uint')
  return new Unsigned(found)
}

/** Integer part of a number. @throws Error if it does not fit into 64 bits. */
function wholeOf(value: number): bigint {
  if (!Number.isFinite(value) || Math.abs(value) >= 2 ** 63) throw new Error('integer overflow')
  return BigInt(Math.trunc(value))
}

function unsignedOf(value: number): Unsigned {
  if (!Number.isFinite(value) || value < 0 || value >= 2 ** 64)
    throw new Error('unsigned integer overflow')
  return new Unsigned(BigInt(Math.trunc(value)))
}

const doublePattern =
  /^[+-]?(?:inf|infinity|nan|(?:\d+(?:_\d+)*(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?|0x[\da-f]*(?:\.[\da-f]*)?p[+-]?\d+)$/i

function doubleOf(text: string): number {
  if (!doublePattern.test(text) || text.includes('_')) throw unconvertible('string', 'double')
  if (/nan/i.test(text)) return Number.NaN
  if (/inf/i.test(text)) return text.startsWith('-') ? -Infinity : Infinity
  const value = Number(text)
  if (!Number.isFinite(value)) throw unconvertible('string', 'double')
  return value
}

function durationOf(text: string): Duration {
  const nanoseconds = durationNanoseconds(text)
  if (nanoseconds === undefined) throw unconvertible('string', 'google.protobuf.Duration')
  return new Duration(nanoseconds)
}

function timestampOf(text: string): Timestamp {
  const moment = momentOf(text)
  if (moment === undefined) throw unconvertible('string', 'google.protobuf.Timestamp')
  return checkedMoment(moment.nanoseconds)
}

function bytesText(bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString()
  if (Buffer.compare(Buffer.from(text), bytes) === 0) return text
  throw new Error('invalid UTF-8 in bytes, cannot convert to string')
}

const seconds = 1_000_000_000n

/** Conversions. Source: the language's definition, "List of standard definitions". */
export const conversions: FunctionTable = {
  size: {
    forms: each(
      [
        ...['bytes int', '.bytes int', 'list(A) int', '.list(A) int'],
        ...['map(A,B) int', '.map(A,B) int', 'string int', '.string int'],
      ],
      (value: unknown) => BigInt(sizeOf(value)),
    ),
  },
  type: { forms: { 'A type': (value: unknown) => new TypeValue(typeNameOf(value)) } },
  dyn: { forms: { 'A dyn': itself } },
  bool: { forms: { 'bool bool': itself, 'string bool': boolOf } },
  bytes: {
    forms: {
      'bytes bytes': itself,
      'string bytes #textToBytes': {
        run: (text: string) => new Uint8Array(Buffer.from(text)),
        estimate: textToBytes,
      },
    },
    cost: converted,
  },
  double: {
    forms: {
      'double double': itself,
      'int double': (value: bigint) => Number(value),
      'string double': doubleOf,
      'uint double': ({ value }: Unsigned) => Number(value),
    },
  },
  duration: {
    forms: {
      'duration duration': itself,
      'string duration': durationOf,
    },
  },
  int: {
    forms: {
      'int int': itself,
      'double int': wholeOf,
      'duration int': ({ nanoseconds }: Duration) => nanoseconds,
      'string int': intOf,
      'timestamp int': ({ nanoseconds }: Timestamp) =>
        (nanoseconds - (((nanoseconds % seconds) + seconds) % seconds)) / seconds,
      'uint int': ({ value }: Unsigned) => int64(value),
    },
  },
  string: {
    forms: {
      'string string': itself,
      'bool string': String,
      'bytes string #bytesToText': { run: bytesText, estimate: bytesToText },
      'double string': goFloat,
      'duration string': ({ nanoseconds }: Duration) => durationText(nanoseconds),
      'int string': String,
      'timestamp string': momentText,
      'uint string': ({ value }: Unsigned) => String(value),
      ...each(['net.IP string', 'net.CIDR string'], String),
    },
    cost: converted,
  },
  timestamp: {
    forms: {
      'timestamp timestamp': itself,
      'int timestamp': (value: bigint) => checkedMoment(value * seconds),
      'string timestamp': timestampOf,
    },
  },
  uint: {
    forms: {
      'uint uint': itself,
      'double uint': unsignedOf,
      'int uint': uint64,
      'string uint': uintOf,
    },
  },
}

/** Functions that are evaluated at compile time if their argument is constant. */
export const conversionNames: ReadonlySet<string> = new Set([
  ...['bool', 'bytes', 'double', 'duration', 'dyn', 'int', 'string', 'timestamp', 'type', 'uint'],
])
