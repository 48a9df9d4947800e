import type { FieldSelector } from '../meta/selectors/fieldSelector.ts'
import type { LabelSelector } from '../meta/selectors/labelSelector.ts'
import type { Entry, FieldsOf } from './entry.ts'
import type { CacheEvent } from './eventRing.ts'
import type { StatusError } from '../meta/status.ts'
import { expired } from '../meta/statusErrors.ts'
import type { EventType } from './objectFrame.ts'

/** Which objects of a resource a list or watch is about. */
export interface Selection {
  /** Keys begin with this: the resource, or one namespace of it. */
  keyPrefix: string
  labels: LabelSelector | undefined
  fields: FieldSelector | undefined
  /** The only key there can be, where the fields say so: nothing else is looked at. */
  onlyKey?: string
  /** What of the selected is shown. Absent: all. */
  view?: EntryView
}

/** The entries that a watch shows, while what may be seen is the same. */
export interface EntryView {
  /** Equal for the views that show the same. */
  key: string
  shows(entry: Entry): boolean
  /** Whether the entry was shown of which the deletion at `revision` is told. */
  showed(entry: Entry, revision: number): boolean
  /** Whether the change from one entry to another leaves what is shown as it is, now and since. */
  keeps(before: Entry | undefined, after: Entry): boolean
  /** False: from now on something else may be seen. */
  holds(): boolean
}

/** What ends a watch of what may be seen once that is something else: the client lists again. */
export function viewChanged(): StatusError {
  return expired('too old resource version: what may be seen has changed since')
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
  if (selection.view !== undefined && (before || after))
    return viewedType(selection.view, event, { before, after })
  return typeOf(before, after)
}

function typeOf(before: boolean, after: boolean): EventType | undefined {
  if (after) return before ? 'MODIFIED' : 'ADDED'
  return before ? 'DELETED' : undefined
}

/** An object that comes into view is added. One that leaves it ends the watch: nothing of it is shown any more, not even
 *  as it was. @throws StatusError Expired. */
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

/** A text that is equal for selections that select alike. */
export function selectionKey({ keyPrefix, labels, fields, view }: Selection): string {
  const selectors = [labels?.toString() ?? '', fields?.toString() ?? '']
  return JSON.stringify([keyPrefix, ...selectors, ...(view === undefined ? [] : [view.key])])
}
