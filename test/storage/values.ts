import { expect } from 'chai'
import { StorageError, type StorageErrorCode } from '../../apiserver/storage/errors.ts'
import type {
  Change,
  Storage,
  StoredValue,
  ValueTemplate,
} from '../../apiserver/storage/storage.ts'

/** Value that reads `text@<revision>!`. */
export function template(text: string): ValueTemplate {
  return { before: `${text}@`, after: '!' }
}

/** Creates keys sequentially: concurrent creates may get their revisions in another order. */
export async function createInOrder(storage: Storage, ...keys: string[]): Promise<void> {
  for (const key of keys) await storage.create(key, template('v'))
}

/** Text `key=value`, so that failed assertions are readable. */
export function show(stored: StoredValue | undefined): string {
  return stored === undefined ? 'nothing' : `${stored.key}=${stored.value.toString()}`
}

/** Text `revision key value was previous`. */
export function showChange(change: Change): string {
  const value = change.value === undefined ? 'deleted' : change.value.toString()
  return `${change.revision} ${change.key} ${value} was ${show(change.previous)}`
}

/** Awaits the refusal and checks its code, and other given properties. */
export async function refuses(
  call: () => unknown,
  code: StorageErrorCode,
  also: { revision?: number; key?: string; message?: RegExp } = {},
): Promise<StorageError> {
  const error = await Promise.resolve()
    .then(call)
    .then(
      (value: unknown) => expect.fail(`expected ${code}, got ${JSON.stringify(value)}`),
      (reason: unknown) => reason,
    )
  if (!(error instanceof StorageError)) throw error
  const { revision, key } = error
  const told = {
    code: error.code,
    ...('revision' in also ? { revision } : {}),
    ...('key' in also ? { key } : {}),
  }
  const { message, ...wanted } = also
  expect(told).to.deep.equal({ code, ...wanted })
  if (message !== undefined) expect(error.message).to.match(message)
  return error
}
