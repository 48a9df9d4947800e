import { jsonText } from '../meta/json/exactJson.ts'
import type { ApiObject } from '../meta/types.ts'
import type { Column } from '../registry/resource.ts'
import { humanDuration, nameColumn } from '../registry/table.ts'
import { newVisits, type Visits } from '../registry/visits.ts'
import type { PrinterColumn } from './definition.ts'
import { parseJsonPath } from './jsonPath.ts'

const ageColumn: PrinterColumn = {
  name: 'Age',
  type: 'date',
  description: 'Time since the object was created.',
  jsonPath: '.metadata.creationTimestamp',
}

/**
 * The columns of a custom kind: the name, followed by the columns of its definition or, without
 * any, the age. Source: Kubernetes documentation, "Additional printer columns".
 */
export function printerColumns(columns: readonly PrinterColumn[] | undefined): Column[] {
  const shown = columns !== undefined && columns.length > 0 ? columns : [ageColumn]
  return [nameColumn, ...shown.map(columnOf)]
}

function columnOf({ name, type, format, description, priority, jsonPath }: PrinterColumn): Column {
  const path = parseJsonPath(jsonPath)
  const cellOf = cells[type]
  return {
    name,
    // Guaranteed by the schema of definitions.
    type: type as Column['type'],
    ...(format === undefined ? {} : { format }),
    description:
      description ?? `Custom resource definition column (in JSONPath format): ${jsonPath}`,
    ...(priority === undefined ? {} : { priority }),
    cell: (object: ApiObject, nowMs, visits = newVisits()) => {
      const value = path?.find(object, visits)[0]
      return value === undefined || value === null ? null : (cellOf?.(value, nowMs, visits) ?? null)
    },
  }
}

type Cell = ReturnType<Column['cell']>

type CellOf = (value: unknown, nowMs: number, visits: Visits) => Cell

const cells: Readonly<Record<string, CellOf>> = {
  string: (value, _nowMs, visits) => stringCell(value, visits),
  integer: (value) =>
    typeof value === 'number' ? Math.trunc(value) : typeof value === 'bigint' ? value : null,
  number: (value) =>
    typeof value === 'number' || typeof value === 'bigint' ? Number(value) : null,
  boolean: (value) => (typeof value === 'boolean' ? value : null),
  date: dateCell,
}

/** Text of a value; null once the cells of the table have as much text as they may. */
function stringCell(value: unknown, visits: Visits): Cell {
  const { text: allowance } = visits
  if (allowance.left <= 0) return null
  const text = typeof value === 'string' ? value : textOf(value, visits)
  allowance.left -= text.length
  return text
}

function textOf(value: unknown, visits: Visits): string {
  visits.texts ??= new Map()
  let text = visits.texts.get(value)
  if (text === undefined) visits.texts.set(value, (text = jsonText(value)))
  return text
}

function dateCell(value: unknown, nowMs: number): Cell {
  if (typeof value !== 'string') return null
  const at = Date.parse(value)
  return Number.isNaN(at) ? '<invalid>' : humanDuration(nowMs - at)
}
