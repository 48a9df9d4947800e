import type { FieldSelector } from '../meta/selectors/fieldSelector.ts'
import type { LabelSelector } from '../meta/selectors/labelSelector.ts'
import type { Entry, FieldsOf } from './cacheEntry.ts'
import type { CacheEvent } from './eventRing.ts'
import type { StatusError } from '../meta/status.ts'
import { expired } from '../meta/statusErrors.ts'
import type { EventType } from './objectFrame.ts'

/** The objects of a resource that a list or watch selects. */
export interface Selection {
  /** Key prefix: the resource, or one namespace of it. */
  keyPrefix: string
  labels: LabelSelector | undefined
  fields: FieldSelector | undefined
  /** The only possible key, if the fields determine it: no other entry is examined. */
  onlyKey?: string
  /** Restriction of the selected entries to visible ones. Absent: all. */
  view?: EntryView
}

/** The entries visible to a user, while that user's rights are unchanged. */
export interface EntryView {
  /** Equal for views that show the same entries. */
  key: string
  shows(entry: Entry): boolean
  /** Reports whether the entry was visible before its deletion at `revision`. */
  showed(entry: Entry, revision: number): boolean
  /** Reports whether the change of an entry leaves its visibility unchanged. */
  keeps(before: Entry | undefined, after: Entry): boolean
  /** Reports whether the visible entries are still the same. */
  holds(): boolean
}

/** The error that ends a watch when its visible entries may have changed: the client lists again. */
export function viewChanged(): StatusError {
  return expired('too old resource version: what may be seen has changed since')
}

/** Reports whether a selection includes `entry`. */
export function selects(selection: Selection, entry: Entry, fieldsOf: FieldsOf): boolean {
  const { keyPrefix, onlyKey } = selection
  const isCandidate =
    onlyKey === undefined ? entry.key.startsWith(keyPrefix) : entry.key === onlyKey
  return isCandidate && matches(selection, entry, fieldsOf)
}

/** Reports whether a selection includes an entry that has its key prefix. */
export function matches(selection: Selection, entry: Entry, fieldsOf: FieldsOf): boolean {
  const { labels, fields } = selection
  if (labels === undefined && fields === undefined) return true
  const attributes = entry.attributes(fieldsOf)
  if (labels !== undefined && !labels.matches(attributes.labels)) return false
  return fields === undefined || fields.matches(attributes.field)
}

/**
 * The event that a watcher of `selection` sees for a change; undefined: none. For the watcher, an
 * object that stops matching is deleted, and an object that begins to match is added. Source:
 * reference 5.5.
 */
export function eventTypeFor(
  selection: Selection,
  event: CacheEvent,
  fieldsOf: FieldsOf,
): EventType | undefined {
  const before = event.previous !== undefined && selects(selection, event.previous, fieldsOf)
  const after = event.entry !== undefined && selects(selection, event.entry, fieldsOf)
  if (selection.view !== undefined && (before || after))
    return viewedType(selection.view, event, { before, after })
  return typeOf(before, after)
}

function typeOf(before: boolean, after: boolean): EventType | undefined {
  if (after) return before ? 'MODIFIED' : 'ADDED'
  return before ? 'DELETED' : undefined
}

/**
 * The event type under a view. An object that becomes visible is added. An object that becomes
 * invisible ends the watch, because not even its previous state may be shown. @throws StatusError
 * Expired.
 */
function viewedType(
  view: EntryView,
  { previous, entry, revision }: CacheEvent,
  selected: { before: boolean; after: boolean },
): EventType | undefined {
  if (entry === undefined) {
    const isTold = previous !== undefined && view.showed(previous, revision)
    return isTold ? typeOf(selected.before, false) : undefined
  }
  const before = previous !== undefined && view.shows(previous)
  const after = view.shows(entry)
  if (!before && !after) return undefined
  if (!after || !view.keeps(before ? previous : undefined, entry)) throw viewChanged()
  return typeOf(selected.before && before, selected.after)
}

/** A string that is equal for equivalent selections. */
export function selectionKey({ keyPrefix, labels, fields, view }: Selection): string {
  const selectors = [labels?.toString() ?? '', fields?.toString() ?? '']
  return JSON.stringify([keyPrefix, ...selectors, ...(view === undefined ? [] : [view.key])])
}
