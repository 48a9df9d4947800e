import { createHash } from 'node:crypto'
import { isObject } from '../../meta/json/isObject.ts'

/** Values in base64, by key, as in secrets here. */
export type SecretData = Readonly<Record<string, string>>
/** JSON values by key, as in the store. */
export type StoreData = Readonly<Record<string, unknown>>

/**
 * Converts data of the store. A string in the store is text. Bytes that are not UTF-8 are stored as `{"base64": "…"}`;
 * any other value of the store becomes its JSON here.
 */
export function fromStore(data: StoreData): SecretData {
  return sorted(Object.entries(data).map(([key, value]) => [key, encoded(value)]))
}

/** Converts data for the store. Values equal to existing ones keep their form there, including numbers and objects. */
export function toStore(data: SecretData, existing: StoreData): StoreData {
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => {
      const isSame = Object.hasOwn(existing, key) && encoded(existing[key]) === value
      return [key, isSame ? existing[key] : decoded(value)]
    }),
  )
}

/** A digest to detect changes. `salt` hides that two objects have equal data. */
export function digest(data: SecretData, salt: string): string {
  const text = JSON.stringify([salt, sorted(Object.entries(data))])
  return createHash('sha256').update(text).digest('base64url')
}

/** Merges both sides' changes since `base`; if both changed a key, the store's wins. */
export function merged(base: SecretData, local: SecretData, store: SecretData): SecretData {
  const keys = new Set([...Object.keys(local), ...Object.keys(store)])
  const result: [string, string][] = []
  for (const key of keys) {
    const isLocal = valueOf(store, key) === valueOf(base, key)
    const value = valueOf(isLocal ? local : store, key)
    if (value !== undefined) result.push([key, value])
  }
  return sorted(result)
}

function valueOf(data: SecretData, key: string): string | undefined {
  return Object.hasOwn(data, key) ? data[key] : undefined
}

function encoded(value: unknown): string {
  if (typeof value === 'string') return Buffer.from(value).toString('base64')
  if (isObject(value) && Object.keys(value).length === 1 && typeof value['base64'] === 'string') {
    return Buffer.from(value['base64'], 'base64').toString('base64')
  }
  return Buffer.from(JSON.stringify(value)).toString('base64')
}

function decoded(base64: string): unknown {
  const bytes = Buffer.from(base64, 'base64')
  const text = bytes.toString('utf8')
  return Buffer.from(text).equals(bytes) ? text : { base64 }
}

function sorted(entries: readonly (readonly [string, string])[]): SecretData {
  return Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)))
}
