import type { Column, Row } from '../watch/shapes.ts'

/** Column of the table shown. */
export interface ShownColumn {
  name: string
  description: string
  /** Index among the cells; -1: the namespace, which comes first in tables of several namespaces. */
  index: number
  isNumber: boolean
  /** True if the column is the time since creation, which advances without updates. */
  isAge: boolean
  /** True if the column names the object. */
  isName: boolean
  isExtra: boolean
}

/** Columns of a table; `hasNamespaces` puts the namespace beside the name. */
export function shownColumns(columns: readonly Column[], hasNamespaces: boolean): ShownColumn[] {
  const own = columns.map(({ name, type, format, description, priority }, index) => ({
    name,
    description,
    index,
    isNumber: type === 'integer' || type === 'number',
    isAge: name === 'Age' || name === 'Created At',
    isName: format === 'name',
    isExtra: priority > 0,
  }))
  const namespace = { ...plainColumn, name: 'Namespace', index: -1 }
  const at = own.findIndex(({ isName }) => isName) + 1
  return hasNamespaces ? [...own.slice(0, at), namespace, ...own.slice(at)] : own
}

const plainColumn = {
  description: 'Namespace of the object.',
  isNumber: false,
  isAge: false,
  isName: false,
  isExtra: false,
}

export function cellText(row: Row, column: ShownColumn): string {
  const value = column.index < 0 ? row.object.metadata.namespace : row.cells[column.index]
  if (value === null || value === undefined) return ''
  // Cells are scalars; other values are shown as JSON.
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Widths in characters, from a sample of the rows, so that changes do not move the columns. */
export function columnWidths(columns: readonly ShownColumn[], rows: readonly Row[]): number[] {
  const sample = rows.slice(0, 200)
  return columns.map((column) => {
    if (column.isAge) return Math.max(9, column.name.length + 4)
    const longest = sample.reduce(
      (most, row) => Math.max(most, cellText(row, column).length),
      column.name.length + 3,
    )
    return Math.min(column.isName ? 46 : 34, longest + 3)
  })
}

export interface Order {
  column: string
  isDescending: boolean
}

/** Sort key of a row, in natural order: `web-9` before `web-10`. */
function sortKey(row: Row, column: ShownColumn): string {
  const text = column.isAge
    ? (row.object.metadata.creationTimestamp ?? '')
    : cellText(row, column)
        .toLowerCase()
        .replace(/\d+/g, (digits) => digits.padStart(12, '0'))
  const { name, namespace = '' } = row.object.metadata
  return `${text}\u0000${name}\u0000${namespace}`
}

/** Keeps the order of rows between two renders, so that only changed rows are examined closely. */
export class RowOrder {
  #keys = new WeakMap<Row, string>()
  #column = ''
  #last: readonly { row: Row; key: string }[] = []
  /** Sort keys by row, from the moment when the order was frozen. */
  #held: Map<string, string> | undefined

  /**
   * Rows in order; ages are sorted youngest first when ascending, like numbers.
   * @param isHeld true to keep the relative order of rows that were already there, even if their values change.
   */
  sorted(
    rows: readonly Row[],
    column: ShownColumn | undefined,
    { isDescending, isHeld = false }: { isDescending: boolean; isHeld?: boolean },
  ): Row[] {
    if (column === undefined) return [...rows]
    if (column.name !== this.#column) this.#begin(column)
    if (!isHeld) this.#held = undefined
    else this.#held ??= new Map(this.#last.map(({ row, key }) => [rowKey(row), key]))
    const keyed = rows.map((row) => ({ row, key: this.#keyOf(row, column) }))
    const sign = isDescending === column.isAge ? 1 : -1
    keyed.sort((a, b) => (a.key === b.key ? 0 : a.key < b.key ? -sign : sign))
    this.#last = keyed
    return keyed.map(({ row }) => row)
  }

  #begin({ name }: ShownColumn): void {
    this.#keys = new WeakMap()
    this.#held = undefined
    this.#last = []
    this.#column = name
  }

  #keyOf(row: Row, column: ShownColumn): string {
    const known = this.#held?.get(rowKey(row)) ?? this.#keys.get(row)
    if (known !== undefined) return known
    const key = sortKey(row, column)
    if (this.#held === undefined) this.#keys.set(row, key)
    else this.#held.set(rowKey(row), key)
    return key
  }
}

/** Identifier of the object of a row. */
export function rowKey({ object: { metadata } }: Row): string {
  return metadata.uid ?? `${metadata.namespace ?? ''}/${metadata.name}`
}
