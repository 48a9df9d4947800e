import type { Allowance } from '../meta/collections/allowance.ts'
import { badRequest } from '../meta/statusErrors.ts'
import type { ApiObject, ListMeta } from '../meta/types.ts'
import type { Column, ResourceDefinition, RowCondition } from './resource.ts'
import { newVisits } from './visits.ts'

/** The part of the object in a row; the metadata has the version of the table. Source: reference 8.1. */
export type IncludeObject = 'Metadata' | 'BetaMetadata' | 'Object' | 'None'

export interface Table {
  kind: 'Table'
  apiVersion: string
  metadata: ListMeta
  columnDefinitions: ColumnDefinition[] | null
  rows: TableRow[]
}

export interface ColumnDefinition {
  name: string
  type: string
  format: string
  description: string
  priority: number
}

export interface TableRow {
  cells: unknown[]
  conditions?: readonly RowCondition[]
  /** Object of the row; null if none is requested. */
  object: unknown
}

/** Parses the query's value, for a table of `version`. @throws StatusError BadRequest for an unknown value. */
export function parseIncludeObject(value: string, version = 'v1'): IncludeObject {
  switch (value) {
    case '':
    case 'Metadata':
      return metadataIn(version)
    case 'Object':
    case 'None':
      return value
    default:
      throw badRequest(
        `Unable to convert to Table as requested: includeObject: Invalid value: ${JSON.stringify(value)}: must be 'Metadata', 'Object', 'None', or empty`,
      )
  }
}

/** The value for rows with metadata. */
export function metadataIn(version: string): IncludeObject {
  return version === 'v1beta1' ? 'BetaMetadata' : 'Metadata'
}

export function columnDefinitions(resource: ResourceDefinition): ColumnDefinition[] {
  return columnsOf(resource)
    .filter(({ isUndefined }) => isUndefined !== true)
    .map(({ name, type, format = '', description, priority = 0 }) => ({
      name,
      type,
      format,
      description,
      priority,
    }))
}

/** Part of the object in a row, the time for ages, and the text that cells may have; absent: that of one row. */
export interface RowOptions {
  include: IncludeObject
  nowMs: number
  text?: Allowance
}

/** The row of one object. */
export function tableRow(
  object: ApiObject,
  resource: ResourceDefinition,
  { include, nowMs, text }: RowOptions,
): TableRow {
  const visits = newVisits(text)
  const cells = columnsOf(resource).map((column) => column.cell(object, nowMs, visits))
  const conditions = resource.rowConditions?.(object)
  const shown = shownObject(object, resource, include)
  return conditions === undefined ? { cells, object: shown } : { cells, conditions, object: shown }
}

function shownObject(
  object: ApiObject,
  resource: ResourceDefinition,
  include: IncludeObject,
): ApiObject | null {
  if (include === 'None') return null
  if (include === 'Object') return object
  return partialMetadata(object, resource, include === 'BetaMetadata' ? 'v1beta1' : 'v1')
}

/** An object's metadata as a separate object. */
export function partialMetadata(
  object: ApiObject,
  { internalMetadata }: ResourceDefinition,
  version: string,
): ApiObject {
  return {
    kind: 'PartialObjectMetadata',
    apiVersion: `meta.k8s.io/${version}`,
    metadata: internalMetadata === undefined ? object.metadata : internalMetadata(object),
  }
}

export const nameColumn: Column = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: 'Name must be unique within a namespace.',
  cell: (object) => object.metadata.name ?? '',
}

const createdAtColumn: Column = {
  name: 'Created At',
  type: 'date',
  description: 'Creation time, RFC 3339 in UTC.',
  // The zero time, which only the object of a bookmark has.
  cell: (object) => object.metadata.creationTimestamp ?? '0001-01-01T00:00:00Z',
}

/** The age of the object, such as `5m` or `2d3h`. */
export const ageColumn: Column = {
  name: 'Age',
  type: 'string',
  description: 'Time since the object was created.',
  cell: ({ metadata: { creationTimestamp: created } }, nowMs) =>
    created === undefined ? '<unknown>' : humanDuration(nowMs - Date.parse(created)),
}

function columnsOf(resource: ResourceDefinition): readonly Column[] {
  return resource.columns ?? [nameColumn, createdAtColumn]
}

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** Formats a duration with up to two units, like command-line clients. Source: apimachinery, HumanDuration. */
export function humanDuration(ms: number): string {
  if (ms <= -2 * second) return '<invalid>'
  if (ms < 0) return '0s'
  if (ms < 2 * minute) return `${Math.floor(ms / second)}s`
  if (ms < 10 * minute) return pair(ms, { unit: minute, name: 'm' }, { unit: second, name: 's' })
  if (ms < 3 * hour) return `${Math.floor(ms / minute)}m`
  if (ms < 8 * hour) return pair(ms, { unit: hour, name: 'h' }, { unit: minute, name: 'm' })
  if (ms < 2 * day) return `${Math.floor(ms / hour)}h`
  if (ms < 8 * day) return pair(ms, { unit: day, name: 'd' }, { unit: hour, name: 'h' })
  if (ms < 2 * 365 * day) return `${Math.floor(ms / day)}d`
  if (ms < 8 * 365 * day) return pair(ms, { unit: 365 * day, name: 'y' }, { unit: day, name: 'd' })
  return `${Math.floor(ms / (365 * day))}y`
}

interface Unit {
  unit: number
  name: string
}

function pair(ms: number, large: Unit, small: Unit): string {
  const first = Math.floor(ms / large.unit)
  const second = Math.floor((ms % large.unit) / small.unit)
  return second === 0 ? `${first}${large.name}` : `${first}${large.name}${second}${small.name}`
}
