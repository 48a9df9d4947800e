import type { FieldSelector } from '../meta/fieldSelector.ts'
import type { LabelSelector } from '../meta/labelSelector.ts'
import type { Entry, FieldsOf } from './entry.ts'
import type { CacheEvent } from './eventRing.ts'
import type { EventType } from './objectFrame.ts'

/** Which objects of a resource a list or watch is about. */
export interface Selection {
  /** Keys begin with this: the resource, or one namespace of it. */
  keyPrefix: string
  labels: LabelSelector | undefined
  fields: FieldSelector | undefined
  /** The only key there can be, where the fields say so: nothing else is looked at. */
  onlyKey?: string
}

/** Whether `entry` is among the selected. */
export function selects(selection: Selection, entry: Entry, fieldsOf: FieldsOf): boolean {
  const { keyPrefix, onlyKey } = selection
  const isCandidate =
    onlyKey === undefined ? entry.key.startsWith(keyPrefix) : entry.key === onlyKey
  return isCandidate && matches(selection, entry, fieldsOf)
}

/** The same for an entry whose key is known to begin with the prefix. */
export function matches(selection: Selection, entry: Entry, fieldsOf: FieldsOf): boolean {
  const { labels, fields } = selection
  if (labels === undefined && fields === undefined) return true
  const attributes = entry.attributes(fieldsOf)
  if (labels !== undefined && !labels.matches(attributes.labels)) return false
  return fields === undefined || fields.matches(attributes.field)
}

/** What a watcher of `selection` sees of a change; undefined: nothing. An object that stops matching is deleted to it,
 *  one that begins to match is added. Source: reference 5.5. */
export function eventTypeFor(
  selection: Selection,
  event: CacheEvent,
  fieldsOf: FieldsOf,
): EventType | undefined {
  const before = event.previous !== undefined && selects(selection, event.previous, fieldsOf)
  const after = event.entry !== undefined && selects(selection, event.entry, fieldsOf)
  if (after) return before ? 'MODIFIED' : 'ADDED'
  return before ? 'DELETED' : undefined
}

/** A text that is equal for selections that select alike. */
export function selectionKey({ keyPrefix, labels, fields }: Selection): string {
  return JSON.stringify([keyPrefix, labels?.toString() ?? '', fields?.toString() ?? ''])
}
