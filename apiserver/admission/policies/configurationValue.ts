import { nativeValue } from '../../cel/values/nativeValue.ts'
import { CelMap } from '../../cel/values/celMap.ts'
import { itemsOf } from '../../cel/values/lists.ts'
import { entriesOf, isMapping } from '../../cel/values/mapping.ts'
import { momentText } from '../../cel/values/moments.ts'
import { Duration, Optional, Timestamp, Unsigned } from '../../cel/values/scalars.ts'
import { StructValue } from '../../cel/values/structValue.ts'
import { foreignValue, goValue } from '../../patch/apply/typed/goText.ts'

/**
 * Value of an expression as an apply configuration. Values that a configuration cannot contain,
 * such as null, timestamps, and nested list and map literals, match no type of a schema. Source:
 * seen on kube-apiserver 1.37.2.
 */
export function configurationValue(value: unknown): unknown {
  if (value instanceof CelMap) return membersOf(value, plainValue)
  if (value instanceof StructValue) return membersOf(value, configurationValue)
  const items = itemsOf(value)
  return items === undefined ? plainValue(value) : items.map(plainValue)
}

function membersOf(
  map: CelMap | StructValue,
  convert: (value: unknown) => unknown,
): Record<string, unknown> {
  return Object.fromEntries([...entriesOf(map)].map(([key, one]) => [String(key), convert(one)]))
}

/** Plain value of a part of a list or map literal. */
function plainValue(value: unknown): unknown {
  if (value instanceof StructValue) return configurationValue(value)
  if (value instanceof Optional) return value.hasValue ? plainValue(value.value) : nothing
  if (value === null) return nothing
  if (value instanceof CelMap || Array.isArray(value)) return writtenOut(value)
  if (itemsOf(value) === undefined && !isMapping(value)) return scalar(value)
  return nativeValue(value)
}

const nothing = foreignValue({ value: 'NULL_VALUE', syntax: '0', type: 'structpb.NullValue' })

function writtenOut(value: CelMap | readonly unknown[]): unknown {
  const text = goValue(nativeValue(value))
  // Lists that come from the object itself contain only plain values.
  if (!(value instanceof CelMap) && value.some(isMapping)) return nativeValue(value)
  const type = value instanceof CelMap ? 'map[ref.Val]ref.Val' : '[]ref.Val'
  return foreignValue({ value: text, syntax: text, type })
}

function scalar(value: unknown): unknown {
  if (value instanceof Unsigned) {
    const { value: number } = value
    return foreignValue({
      value: String(number),
      syntax: `0x${number.toString(16)}`,
      type: 'uint64',
    })
  }
  if (value instanceof Uint8Array) {
    const bytes = [...value]
    const hex = bytes.map((byte) => `0x${byte.toString(16)}`)
    return foreignValue({
      value: `[${bytes.join(' ')}]`,
      syntax: `[]uint8{${hex.join(', ')}}`,
      type: '[]uint8',
    })
  }
  if (value instanceof Duration) {
    const text = String(value.nanoseconds)
    return foreignValue({ value: text, syntax: text, type: 'time.Duration' })
  }
  if (value instanceof Timestamp) return moment(value)
  return nativeValue(value)
}

const months = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September'],
  ...['October', 'November', 'December'],
]

function moment(value: Timestamp): unknown {
  const at = new Date(Number(value.nanoseconds / 1_000_000n))
  const day = [at.getUTCFullYear(), `time.${months[at.getUTCMonth()] ?? ''}`, at.getUTCDate()]
  const time = [at.getUTCHours(), at.getUTCMinutes(), at.getUTCSeconds()]
  const below = value.nanoseconds % 1_000_000_000n
  const syntax = `time.Date(${[...day, ...time, below].join(', ')}, time.UTC)`
  return foreignValue({ value: momentText(value), syntax, type: 'time.Time' })
}
