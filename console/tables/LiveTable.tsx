import { useVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import type { Kind } from '../api/kinds.ts'
import { Icon } from '../parts/Icon.tsx'
import { Empty, Skeleton } from '../parts/notes.tsx'
import { kindTitle } from '../shell/kindGroups.ts'
import { goTo, objectHref } from '../shell/route.ts'
import type { Row } from '../watch/shapes.ts'
import { columnWidths, rowKey, type Order, type ShownColumn } from './columns.ts'
import { useSteadyRows } from './steadyRows.ts'
import { TableRow } from './TableRow.tsx'

const rowPixels = 34
const headPixels = 34

interface LiveTableProps {
  kind: Kind
  columns: readonly ShownColumn[]
  rows: readonly Row[]
  order: Order
  isLoading: boolean
  isFiltered: boolean
  picked: ReadonlySet<string>
  onOrder: (order: Order) => void
  /** Called with the selected rows; undefined: rows cannot be selected. */
  onPick: ((picked: ReadonlySet<string>) => void) | undefined
  /** Called when the pointer enters or leaves the rows. */
  onHold: (isHeld: boolean) => void
}

function rowHeight(): number {
  return rowPixels
}

/** Rows of a table; only visible rows are in the document. Keys act on the active row. */
export function LiveTable(props: LiveTableProps) {
  const { kind, columns, rows, order, picked, isLoading, isFiltered, onOrder, onPick, onHold } =
    props
  const scroller = useRef<HTMLDivElement>(null)
  const steady = useSteadyRows(rows, { scroller, rowPixels, headPixels, onHold })
  const { space, onPointerMove, onPointerLeave } = steady
  // Constant functions: a new function would recompute the places of all rows.
  const getScrollElement = useCallback(() => scroller.current, [])
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement,
    estimateSize: rowHeight,
    overscan: 12,
    scrollPaddingStart: headPixels,
    paddingStart: space.before,
    paddingEnd: space.after,
  })
  const [active, setActive] = useState('')
  const hasRows = rows.length > 0
  const widths = useMemo(() => columnWidths(columns, rows), [columns, hasRows])
  const toggle = useCallback(
    (key: string) => {
      const next = new Set(picked)
      if (!next.delete(key)) next.add(key)
      onPick?.(next)
    },
    [picked, onPick],
  )
  const moveTo = (index: number) => {
    const at = Math.min(Math.max(index, 0), rows.length - 1)
    const row = rows[at]
    if (row === undefined) return
    setActive(rowKey(row))
    virtual.scrollToIndex(at)
    requestAnimationFrame(() =>
      scroller.current?.querySelector<HTMLElement>(`tr[aria-rowindex="${at + 2}"]`)?.focus(),
    )
  }
  const keys = useRowKeys({ rows, kind, active, moveTo, toggle })
  if (isLoading) return <Skeleton lines={8} />
  if (!hasRows) return <NoRows kind={kind} isFiltered={isFiltered} />
  const items = virtual.getVirtualItems()
  const before = items[0]?.start ?? 0
  const after = virtual.getTotalSize() - (items.at(-1)?.end ?? 0)
  const inSight = items.flatMap(({ index }) => rows[index] ?? []).map(rowKey)
  const activeKey = inSight.includes(active) ? active : inSight[0]
  return (
    <div
      className="grid"
      ref={scroller}
      tabIndex={-1}
      onKeyDown={keys}
      onPointerMove={onPointerMove}
      onPointerLeave={onPointerLeave}
    >
      <table
        aria-rowcount={rows.length + 1}
        style={{ minWidth: `${widths.reduce((sum, width) => sum + width, 5)}ch` }}
      >
        <colgroup>
          {onPick === undefined ? null : <col style={{ width: '40px' }} />}
          {widths.map((width, at) => (
            <col key={columns[at]?.name} style={{ width: `${width}ch` }} />
          ))}
          <col />
        </colgroup>
        <ColumnHead {...{ columns, order, onOrder }} hasPick={onPick !== undefined} />
        <tbody>
          <Gap pixels={before} />
          {items.map(({ index }) => {
            const row = rows[index]
            if (row === undefined) return null
            return (
              <TableRow
                key={rowKey(row)}
                {...{ row, kind, columns, index }}
                isActive={rowKey(row) === activeKey}
                isPicked={picked.has(rowKey(row))}
                onPick={onPick === undefined ? undefined : toggle}
                onFocus={setActive}
              />
            )
          })}
          <Gap pixels={after} />
        </tbody>
      </table>
    </div>
  )
}

/** Space of the rows that are not in the document. */
function Gap({ pixels }: { pixels: number }) {
  if (pixels <= 0) return null
  return (
    <tr className="gap" aria-hidden="true">
      <td style={{ height: `${pixels}px` }} />
    </tr>
  )
}

interface RowKeys {
  rows: readonly Row[]
  kind: Kind
  active: string
  moveTo: (index: number) => void
  toggle: (key: string) => void
}

/** Keyboard shortcuts of rows, as in k9s. */
function useRowKeys({ rows, kind, active, moveTo, toggle }: RowKeys) {
  const before = useRef('')
  return (event: KeyboardEvent<HTMLDivElement>) => {
    if (!(event.target instanceof HTMLTableRowElement) || event.ctrlKey || event.metaKey) return
    const at = rows.findIndex((row) => rowKey(row) === active)
    const row = rows[at]
    const open = (tab = '') => row && goTo(objectHref(kind, row.object.metadata, tab))
    const actions: Record<string, () => void> = {
      ArrowDown: () => moveTo(at + 1),
      j: () => moveTo(at + 1),
      ArrowUp: () => moveTo(at - 1),
      k: () => moveTo(at - 1),
      PageDown: () => moveTo(at + 15),
      PageUp: () => moveTo(at - 15),
      Home: () => moveTo(0),
      End: () => moveTo(rows.length - 1),
      G: () => moveTo(rows.length - 1),
      Enter: () => open(),
      d: () => open(),
      e: () => open('yaml'),
      x: () => row && toggle(active),
      ' ': () => row && toggle(active),
      ...(before.current === 'g' ? { g: () => moveTo(0) } : {}),
    }
    const action = actions[event.key]
    before.current = event.key
    if (action === undefined) return
    event.preventDefault()
    event.stopPropagation()
    action()
  }
}

interface HeadProps {
  columns: readonly ShownColumn[]
  order: Order
  onOrder: (order: Order) => void
  hasPick: boolean
}

function ColumnHead({ columns, order, onOrder, hasPick }: HeadProps) {
  const current = columns.some(({ name }) => name === order.column)
    ? order.column
    : columns[0]?.name
  return (
    <thead>
      <tr aria-rowindex={1}>
        {hasPick ? (
          <th className="pick" scope="col">
            <span className="visually-hidden">Selected</span>
          </th>
        ) : null}
        {columns.map(({ name, description, isNumber }) => {
          const isHere = name === current
          const direction = order.isDescending ? 'descending' : 'ascending'
          return (
            <th
              key={name}
              scope="col"
              className={isNumber ? 'number' : undefined}
              aria-sort={isHere ? direction : undefined}
            >
              <button
                type="button"
                title={description}
                onClick={() =>
                  onOrder({ column: name, isDescending: isHere && !order.isDescending })
                }
              >
                {name}
                {isHere ? <Icon name={order.isDescending ? 'down' : 'up'} /> : null}
              </button>
            </th>
          )
        })}
        <td />
      </tr>
    </thead>
  )
}

function NoRows({ kind, isFiltered }: { kind: Kind; isFiltered: boolean }) {
  const title = kindTitle(kind).toLowerCase()
  if (isFiltered)
    return (
      <Empty title={`No ${title} match the search`}>
        <p>
          Selectors such as app=web are applied by the server; words are looked up in every column
          and label.
        </p>
      </Empty>
    )
  return (
    <Empty title={`There are no ${title} here yet`}>
      <p>Choose another namespace above, or create the first one.</p>
    </Empty>
  )
}
