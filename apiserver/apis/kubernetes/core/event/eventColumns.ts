import type { Column } from '../../../../registry/resource.ts'
import { humanDuration, nameColumn } from '../../../../registry/table.ts'
import { cellColumn, textColumn, wide } from '../../../columns.ts'
import { asEvent, sourceOf, type EventObject } from './eventObject.ts'

/** Columns of event tables. Source: observed kubectl output. */
export const eventColumns: readonly Column[] = [
  cellColumn('Last Seen', 'Time since the last occurrence.', (object, nowMs) =>
    sinceText(lastSeen(asEvent(object)), nowMs),
  ),
  textColumn('Type', 'type', 'Normal or Warning.'),
  textColumn('Reason', 'reason', 'Reason in CamelCase.'),
  cellColumn('Object', 'Object that the event is about.', (object) => {
    const { kind = '', name = '' } = asEvent(object).involvedObject
    return kind === '' ? name : `${kind.toLowerCase()}/${name}`
  }),
  wide(
    textColumn(
      'Subobject',
      'involvedObject.fieldPath',
      'Part of the object that the event is about.',
    ),
  ),
  wide(
    cellColumn('Source', 'Component that reported the event.', (object) => {
      const { source, reportingInstance = '' } = asEvent(object)
      const host = source?.host ?? ''
      const place = host === '' ? reportingInstance : host
      return [sourceOf(asEvent(object)), place].filter((text) => text !== '').join(', ')
    }),
  ),
  cellColumn('Message', 'Description of what happened.', (object) =>
    (asEvent(object).message ?? '').trim(),
  ),
  wide(
    cellColumn('First Seen', 'Time since the first occurrence.', (object, nowMs) => {
      return sinceText(firstSeen(asEvent(object)), nowMs)
    }),
  ),
  wide({
    name: 'Count',
    type: 'string',
    description: 'Number of occurrences.',
    cell: (object) => {
      const { series, count = 0 } = asEvent(object)
      return series?.count ?? (count === 0 ? 1 : count)
    },
  }),
  wide(nameColumn),
]

function firstSeen({ firstTimestamp, eventTime }: EventObject): string | null | undefined {
  return firstTimestamp ?? eventTime
}

function lastSeen(event: EventObject): string | null | undefined {
  return event.series?.lastObservedTime ?? event.lastTimestamp ?? firstSeen(event)
}

function sinceText(time: string | null | undefined, nowMs: number): string {
  return typeof time === 'string' ? humanDuration(nowMs - Date.parse(time)) : '<unknown>'
}
