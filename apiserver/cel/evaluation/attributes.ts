import type { CostMeter } from '../cost/meter.ts'
import { itemsOf } from '../values/lists.ts'
import { isMapping } from '../values/mapping.ts'
import { StructValue } from '../values/structValue.ts'
import { noSuchOverload, Optional, Unsigned } from '../values/scalars.ts'
import type { Frame } from './frame.ts'
import type { Attribute, Qualifier } from './step.ts'

/** Reads an attribute; each step costs 1. */
export function resolved({ base, qualifiers }: Attribute, frame: Frame, meter: CostMeter): unknown {
  let value = base(frame)
  let isOptional = false
  for (const qualifier of qualifiers) {
    const key = qualifier.key.run(frame)
    if (value instanceof Optional) {
      isOptional = true
      if (!value.hasValue) return value
      value = value.value
    }
    const found = foundMember(value, key, qualifier)
    if (qualifier.isTest === true) {
      meter.add(1)
      return found !== undefined
    }
    if (found === undefined && (qualifier.isOptional || isOptional)) return Optional.none
    if (!qualifier.isFree) meter.add(1)
    if (found === undefined) throw missing(value, key)
    isOptional ||= qualifier.isOptional
    value = found
  }
  return isOptional ? Optional.of(value) : value
}

/**
 * Member of a value; undefined: absent. Unset fields have a value unless the expression only tests
 * for them.
 */
function foundMember(value: unknown, key: unknown, { isTest, isOptional }: Qualifier): unknown {
  const asksForSet = isTest === true || isOptional
  if (asksForSet && value instanceof StructValue && !value.has(key)) return undefined
  return memberOf(value, key)
}

/** Member of a value; undefined: absent. */
function memberOf(value: unknown, key: unknown): unknown {
  if (isMapping(value)) return value.find(key)
  const items = itemsOf(value)
  return items === undefined ? undefined : itemAt(items, key)
}

function itemAt(items: readonly unknown[], key: unknown): unknown {
  if (typeof key === 'bigint') return items[Number(key)]
  if (key instanceof Unsigned) return items[Number(key.value)]
  if (typeof key === 'number' && Number.isInteger(key)) return items[key]
  if (typeof key === 'number') throw new Error(`unsupported index value ${key} in list`)
  throw noSuchOverload()
}

function missing(value: unknown, key: unknown): Error {
  const isList = itemsOf(value) !== undefined
  return new Error(`${isList ? 'index out of bounds' : 'no such key'}: ${keyText(key)}`)
}

function keyText(key: unknown): string {
  return key instanceof Unsigned ? String(key.value) : String(key)
}
