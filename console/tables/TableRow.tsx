import { memo } from 'react'
import type { Kind } from '../api/kinds.ts'
import { Age } from '../parts/Age.tsx'
import { Badge, type Tone } from '../parts/notes.tsx'
import { objectHref } from '../shell/route.ts'
import type { Row } from '../watch/shapes.ts'
import { cellText, rowKey, type ShownColumn } from './columns.ts'

interface TableRowProps {
  row: Row
  kind: Kind
  columns: readonly ShownColumn[]
  index: number
  isActive: boolean
  isPicked: boolean
  onPick: ((key: string) => void) | undefined
  onFocus: (key: string) => void
}

/** Row of a table; rendered again only if its object, its place or the selection changed. */
export const TableRow = memo(function TableRow(props: TableRowProps) {
  const { row, kind, columns, index, isActive, isPicked, onPick, onFocus } = props
  const { metadata } = row.object
  const key = rowKey(row)
  return (
    <tr
      className="row"
      aria-rowindex={index + 2}
      aria-selected={onPick === undefined ? undefined : isPicked}
      tabIndex={isActive ? 0 : -1}
      onFocus={() => onFocus(key)}
    >
      {onPick === undefined ? null : (
        <td className="pick">
          <input
            type="checkbox"
            tabIndex={-1}
            checked={isPicked}
            aria-label={`Select ${metadata.name}`}
            onChange={() => onPick(key)}
          />
        </td>
      )}
      {columns.map((column) => (
        <td key={column.name} className={column.isNumber ? 'number' : undefined}>
          <Cell {...{ row, kind, column }} />
        </td>
      ))}
      <td />
    </tr>
  )
})

interface CellProps {
  row: Row
  kind: Kind
  column: ShownColumn
}

function Cell({ row, kind, column }: CellProps) {
  const { metadata } = row.object
  const text = cellText(row, column)
  if (column.isName)
    return (
      <a href={objectHref(kind, metadata)} tabIndex={-1} title={metadata.name}>
        {text}
      </a>
    )
  if (column.isAge) return <Age since={metadata.creationTimestamp} />
  const tone = metadata.deletionTimestamp === undefined ? toneOf(text) : 'warn'
  if (
    tone !== undefined &&
    /^(status|phase|state|ready|available)$/i.test(column.name) &&
    text !== ''
  )
    return <Badge tone={tone}>{text}</Badge>
  return <span title={text.length > 24 ? text : undefined}>{text}</span>
}

const tones: readonly (readonly [Tone, RegExp])[] = [
  ['good', /^(active|running|ready|bound|available|true|succeeded|complete|completed|online)$/i],
  ['bad', /^(failed|error|lost|crashloopbackoff|imagepullbackoff|evicted|unknown|false)$/i],
  ['warn', /^(pending|terminating|notready|suspended|sleeping|progressing|offline)$/i],
]

/** Tone of a word for a state; undefined: not a state. */
function toneOf(text: string): Tone | undefined {
  return tones.find(([, words]) => words.test(text))?.[0]
}
