import { StorageError } from '../errors.ts'
import type { StoredValue, ValueTemplate } from '../storage.ts'

/**
 * Stored value without its revision, so that it can be written elsewhere. The first field with this name and content is
 * that of the value itself: metadata precedes everything that clients choose.
 * @throws StorageError Corrupt if the value does not contain its revision.
 */
export function templateOf({ key, revision, value }: StoredValue): ValueTemplate {
  const text = value.toString()
  for (const name of ['resourceVersion', 'revision']) {
    const field = `"${name}":"`
    const at = text.indexOf(`${field}${revision}"`)
    if (at < 0) continue
    const start = at + field.length
    return { before: text.slice(0, start), after: text.slice(start + String(revision).length) }
  }
  throw new StorageError('Corrupt', `${key} does not contain its revision ${revision}`, { key })
}

/** Reports whether two values differ only in their revisions. */
export function isSameContent(one: StoredValue, other: StoredValue): boolean {
  const [a, b] = [templateOf(one), templateOf(other)]
  return one.key === other.key && a.before === b.before && a.after === b.after
}
