import type { ManagedFieldsEntry } from '../../../meta/types.ts'
import { decodeFieldsV1 } from '../fields/fieldsV1.ts'
import type { FieldSet } from '../fields/fieldSet.ts'
import { goJson } from '../typed/goText.ts'

/** A manager's operation and the fields it owns. Source: Kubernetes API reference, ManagedFieldsEntry. */
export interface ManagerEntry {
  manager: string
  operation: 'Apply' | 'Update'
  apiVersion: string
  /** Empty for the main resource. */
  subresource: string
  /** RFC 3339, UTC, whole seconds; undefined if the server never changed anything for the manager. */
  time: string | undefined
  set: FieldSet
  /** The stored entry, while it is unchanged. */
  stored?: ManagedFieldsEntry | undefined
}

/** Entries by the identifier of their manager. */
export type Managers = ReadonlyMap<string, ManagerEntry>

/**
 * The identifier of a manager, in a form that also defines their order. An applier has the same one in every version.
 */
export function managerIdentifier(entry: Omit<ManagerEntry, 'set' | 'time'>): string {
  const { manager, operation, apiVersion, subresource } = entry
  const name = manager === '' ? '' : `"manager":${goJson(manager)},`
  const version = operation === 'Apply' ? '' : `,"apiVersion":${goJson(apiVersion)}`
  const through = subresource === '' ? '' : `,"subresource":${goJson(subresource)}`
  return `{${name}"operation":"${operation}"${version}${through}}`
}

/**
 * Decodes entries of a client or from storage.
 * @throws Error for an invalid list: all of it is ignored then.
 */
export function decodeEntries(entries: readonly ManagedFieldsEntry[]): Map<string, ManagerEntry> {
  return managersOf(entries, decodeFieldsV1)
}

/** Reads entries written by this server, with sets that are already canonical. */
export function storedEntries(entries: readonly ManagedFieldsEntry[]): Map<string, ManagerEntry> {
  // Sound: only this server writes stored entries, and a set's JSON form is the set.
  const managers = managersOf(entries, (fields) => (fields ?? {}) as FieldSet)
  let index = 0
  if (managers.size === entries.length) {
    for (const entry of managers.values()) Object.assign(entry, { stored: entries[index++] })
  }
  return managers
}

function managersOf(
  entries: readonly ManagedFieldsEntry[],
  decode: (fields: unknown) => FieldSet,
): Map<string, ManagerEntry> {
  const managers = new Map<string, ManagerEntry>()
  entries.forEach((sent, index) => {
    const { operation, apiVersion = '', fieldsType = '' } = sent
    if (operation !== 'Apply' && operation !== 'Update') {
      throw new Error('operation must be `Apply` or `Update`')
    }
    if (apiVersion === '') throw new Error('apiVersion must not be empty')
    if (fieldsType !== 'FieldsV1') throw new Error(fieldsTypeProblem(fieldsType, index))
    const entry: ManagerEntry = {
      manager: sent.manager ?? '',
      operation,
      apiVersion,
      subresource: sent.subresource ?? '',
      time: wholeSeconds(sent.time),
      set: decode(sent.fieldsV1),
    }
    managers.set(managerIdentifier(entry), entry)
  })
  return managers
}

function fieldsTypeProblem(fieldsType: string, index: number): string {
  return fieldsType === ''
    ? `missing fieldsType in managed fields entry ${index}`
    : `invalid fieldsType ${JSON.stringify(fieldsType)} in managed fields entry ${index}`
}

function wholeSeconds(time: string | undefined | null): string | undefined {
  if (time === undefined || time === null || time === '') return undefined
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(time)) return time
  const milliseconds = Date.parse(time)
  if (Number.isNaN(milliseconds)) throw new Error(`no time: ${time}`)
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`
}

/** Encodes the entries of an object, in order: appliers first, then by time, name, version and subresource. */
export function encodeEntries(managers: Managers): ManagedFieldsEntry[] {
  return [...managers.values()].sort(compareEntries).map((entry) => entry.stored ?? encode(entry))
}

function encode({ manager, operation, apiVersion, ...entry }: ManagerEntry): ManagedFieldsEntry {
  const encoded: ManagedFieldsEntry = manager === '' ? { operation } : { manager, operation }
  encoded.apiVersion = apiVersion
  if (entry.time !== undefined) encoded.time = entry.time
  encoded.fieldsType = 'FieldsV1'
  encoded.fieldsV1 = entry.set
  if (entry.subresource !== '') encoded.subresource = entry.subresource
  return encoded
}

function compareEntries(a: ManagerEntry, b: ManagerEntry): number {
  return (
    compare(a.operation, b.operation) ||
    compare(a.time ?? '', b.time ?? '') ||
    compare(a.manager, b.manager) ||
    compare(a.apiVersion, b.apiVersion) ||
    compare(a.subresource, b.subresource)
  )
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Reports whether a request resets the list: with an empty list, or with a single blank entry. */
export function isReset(entries: unknown): boolean {
  if (!Array.isArray(entries)) return false
  return entries.length === 0 || (entries.length === 1 && isBlank(entries[0]))
}

function isBlank(entry: unknown): boolean {
  if (typeof entry !== 'object' || entry === null) return entry === null
  return Object.values(entry).every(
    (value) => value === undefined || value === null || value === '',
  )
}
