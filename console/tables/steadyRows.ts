import { useLayoutEffect, useRef, useState, type PointerEvent, type RefObject } from 'react'
import type { Row } from '../watch/shapes.ts'
import { rowKey } from './columns.ts'

/** Empty space before and after the rows, in pixels. */
export interface Space {
  before: number
  after: number
}

interface SteadyOptions {
  scroller: RefObject<HTMLElement | null>
  rowPixels: number
  headPixels: number
  /** Called when the pointer enters or leaves the rows. */
  onHold: (isHeld: boolean) => void
}

/** Number of rows to search for one that still exists. */
const nearby = 40

/**
 * Keeps the row under the pointer, or else the first visible row, in place while rows above it are added and removed.
 * At the ends of the table, where scrolling cannot do that, adds empty space until the pointer leaves.
 */
export function useSteadyRows(rows: readonly Row[], options: SteadyOptions) {
  const { scroller, rowPixels, headPixels, onHold } = options
  const pointer = useRef<number>(undefined)
  const before = useRef(rows)
  const [space, setSpace] = useState<Space>(noSpace)
  useLayoutEffect(() => {
    const grid = scroller.current
    const old = before.current
    before.current = rows
    if (grid === null || old === rows) return
    const place = grid.scrollTop - space.before
    const y = pointer.current
    if (y === undefined && place <= 0) return
    const inGrid = y === undefined ? 0 : y - grid.getBoundingClientRect().top - headPixels
    const moved = movedBy(old, rows, Math.floor((place + inGrid) / rowPixels))
    const next = place + moved * rowPixels
    const content = headPixels + rows.length * rowPixels
    // Without a pointer it does no harm if the ends of the table move.
    const made =
      y === undefined
        ? noSpace
        : { before: Math.max(0, -next), after: Math.max(0, next + grid.clientHeight - content) }
    const isSame = made.before === space.before && made.after === space.after
    const shown = isSame ? space : made
    if (!isSame) setSpace(made)
    if (moved !== 0) pending.current = { space: shown, scrollTop: Math.max(0, next) }
  }, [rows])
  const pending = useRef<{ space: Space; scrollTop: number }>(undefined)
  useLayoutEffect(() => {
    // Until the space is rendered, the browser cannot scroll that far.
    if (pending.current?.space !== space) return
    if (scroller.current !== null) scroller.current.scrollTop = pending.current.scrollTop
    pending.current = undefined
  })
  const onPointerMove = ({ clientY, pointerType }: PointerEvent) => {
    if (pointerType === 'touch') return
    if (pointer.current === undefined) onHold(true)
    pointer.current = clientY
  }
  const onPointerLeave = () => {
    if (pointer.current !== undefined) onHold(false)
    pointer.current = undefined
    if (space !== noSpace) setSpace(noSpace)
  }
  return { space, onPointerMove, onPointerLeave }
}

const noSpace: Space = { before: 0, after: 0 }

/** Number of places by which the row at `index`, or the nearest one that still exists, has moved down. */
function movedBy(old: readonly Row[], rows: readonly Row[], index: number): number {
  const places = new Map<string, number>()
  const from = Math.min(Math.max(index, 0), old.length - 1)
  let moved: number | undefined
  for (let step = 0; step < nearby; step++) {
    const at = from + step < old.length ? from + step : from - step
    const row = old[at]
    if (row === undefined) break
    if (rows[at] === row) return 0
    if (places.size === 0) rows.forEach((each, place) => places.set(rowKey(each), place))
    const now = places.get(rowKey(row))
    if (now === undefined) continue
    // A changed row may have been sorted elsewhere.
    if (rows[now] === row) return now - at
    moved ??= now - at
  }
  return moved ?? 0
}
