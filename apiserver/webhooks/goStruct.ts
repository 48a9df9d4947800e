import { illegalBase64At } from '../encoding/goBase64.ts'
import { goJsonType } from '../meta/json/goJsonType.ts'
import { isObject } from '../meta/json/isObject.ts'
import { NumberLiteral } from '../meta/json/numberLiteral.ts'

/** Go type for decoding JSON. The zero value of a pointer differs from an absent one. */
export type GoType =
  | { go: string; scalar: 'string' | 'bool' | 'int' | 'bytes' | 'any'; isPointer?: true }
  | { go: string; items: GoType }
  | { go: string; values: GoType }
  | { go: string; struct: string; fields: Readonly<Record<string, GoType>> }

/** Position of a value: the innermost struct, and the path from the outermost one. */
interface Place {
  struct: string
  path: string
}

/**
 * Value as held by the type: without unknown members, null and zero values.
 * @throws TypeError in the wording of Go's decoder for the first value of another type. Source: seen on kube-apiserver
 * 1.37.2.
 */
export function decodeGo(value: unknown, type: GoType): unknown {
  return decoded(value, type, { struct: '', path: '' })
}

function decoded(value: unknown, type: GoType, place: Place): unknown {
  if (value === null || value === undefined) return undefined
  // Bytes may also be a list of numbers.
  if (type.go === '[]uint8' && Array.isArray(value)) return bytesOf(value, place)
  if ('scalar' in type) return scalarOf(value, type, place)
  if ('items' in type) {
    if (!Array.isArray(value)) throw mismatch(value, type.go, place)
    return value.map((item) => decoded(item, type.items, place) ?? zeroOf(type.items))
  }
  if (!isObject(value)) throw mismatch(value, type.go, place)
  if ('values' in type) return valuesOf(value, type.values, place)
  return structOf(value, type, place)
}

function structOf(
  value: Record<string, unknown>,
  type: Extract<GoType, { struct: string }>,
  place: Place,
): Record<string, unknown> {
  const made: Record<string, unknown> = {}
  for (const [name, member] of Object.entries(value)) {
    const field = Object.hasOwn(type.fields, name) ? type.fields[name] : undefined
    if (field === undefined) continue
    const path = place.path === '' ? name : `${place.path}.${name}`
    const found = decoded(member, field, { struct: type.struct, path })
    if (!isZero(found) || ('isPointer' in field && found !== undefined)) made[name] = found
  }
  return made
}

function valuesOf(value: object, type: GoType, place: Place): Record<string, unknown> {
  const members = Object.entries(value).map(([name, member]): [string, unknown] => [
    name,
    decoded(member, type, place) ?? zeroOf(type),
  ])
  return Object.fromEntries(members)
}

type Scalar = Extract<GoType, { scalar: string }>

function scalarOf(value: unknown, type: Scalar, place: Place): unknown {
  const wanted = { string: 'string', bytes: 'string', bool: 'boolean', int: 'number', any: '' }
  const name = wanted[type.scalar]
  if (name !== '' && typeof value !== name) throw mismatch(value, type.go, place)
  if (type.scalar === 'int' && !Number.isInteger(value)) throw mismatch(value, type.go, place)
  if (type.scalar === 'bytes') checkBase64(String(value))
  return value
}

function bytesOf(list: readonly unknown[], place: Place): string {
  const odd = list.find((one) => typeof one !== 'number')
  if (odd !== undefined) throw mismatch(odd, 'uint8', place)
  return Buffer.from(list as number[]).toString('base64') // all are numbers
}

function checkBase64(text: string): void {
  const at = illegalBase64At(text)
  if (at !== undefined) throw new TypeError(`illegal base64 data at input byte ${at}`)
}

function mismatch(value: unknown, go: string, { struct, path }: Place): TypeError {
  const isFraction = typeof value === 'number' && !Number.isInteger(value)
  const number = value instanceof NumberLiteral || isFraction ? ` ${String(value)}` : ''
  const target = path === '' ? 'value' : `struct field ${struct}.${path}`
  const given = goJsonType(value) + number
  return new TypeError(`json: cannot unmarshal ${given} into Go ${target} of type ${go}`)
}

function isZero(value: unknown): boolean {
  return value === undefined || value === '' || value === false || value === 0
}

const zeros = { string: '', bytes: '', bool: false, int: 0, any: null } as const

function zeroOf(type: GoType): unknown {
  if ('scalar' in type) return zeros[type.scalar]
  return 'items' in type ? [] : {}
}
