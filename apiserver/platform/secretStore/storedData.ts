import { createHash } from 'node:crypto'
import { isObject } from '../../meta/json/isObject.ts'

/** Values in base64, by key: how secrets are kept here. */
export type SecretData = Readonly<Record<string, string>>
/** JSON values by key: how they are kept in the store. */
export type StoreData = Readonly<Record<string, unknown>>

/** Text is text in the store. Bytes that are no UTF-8 are there as `{"base64": "…"}`; any other value of the store is
 *  its JSON text here. */
export function fromStore(data: StoreData): SecretData {
  return sorted(Object.entries(data).map(([key, value]) => [key, encoded(value)]))
}

/** Values that still mean what the store has stay as they are there, numbers and objects too. */
export function toStore(data: SecretData, existing: StoreData): StoreData {
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => {
      const isSame = Object.hasOwn(existing, key) && encoded(existing[key]) === value
      return [key, isSame ? existing[key] : decoded(value)]
    }),
  )
}

/** Says whether data changed. `salt` keeps equal data of two objects from showing. */
export function digest(data: SecretData, salt: string): string {
  const text = JSON.stringify([salt, sorted(Object.entries(data))])
  return createHash('sha256').update(text).digest('base64url')
}

/** Both sides' changes since `base`; where both changed a key, the store's. */
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
