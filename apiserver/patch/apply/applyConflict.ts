import { goQuote } from '../../meta/goQuote.ts'
import { StatusError } from '../../meta/status.ts'
import { difference, isEmpty, pathsOf, type FieldSet } from './fields/fieldSet.ts'
import type { ManagerEntry, Managers } from './managers/managedEntries.ts'
import { pathString } from './fields/pathElement.ts'

/** Conflicting fields by manager. */
export type Conflicts = ReadonlyMap<string, Conflict>

export interface Conflict {
  entry: ManagerEntry
  fields: FieldSet
}

/** The fields among `changes` that managers other than `actor` own. */
export function conflictsOf(
  managers: Managers,
  actor: string,
  changesOf: (entry: ManagerEntry) => FieldSet | undefined,
): Conflicts {
  const conflicts = new Map<string, Conflict>()
  for (const [identifier, entry] of managers) {
    const fields = identifier === actor ? undefined : changesOf(entry)
    if (fields !== undefined && !isEmpty(fields)) conflicts.set(identifier, { entry, fields })
  }
  return conflicts
}

export function conflictsWithout(conflicts: Conflicts, allowed: FieldSet): Conflicts {
  const left = [...conflicts].map(([identifier, { entry, fields }]) => {
    return [identifier, { entry, fields: difference(fields, allowed) }] as const
  })
  return new Map(left.filter(([, { fields }]) => !isEmpty(fields)))
}

/** Maximum length of the paths in a refusal; all conflicts are counted. */
const maxPathBytes = 512 * 1024

/**
 * The 409 error with one cause per field, unless there are so many that the response would be huge. The manager of an update is named with its version, and without a time.
 * Source: apimachinery, managedfields, "NewConflictError"; reference 0.4, 3.13.
 */
export function applyConflict(conflicts: Conflicts): StatusError {
  const sorted = [...conflicts].sort(([a], [b]) => (a < b ? -1 : 1))
  let [room, count] = [maxPathBytes, 0]
  const groups = sorted.map(([, { entry, fields }]) => {
    const paths: string[] = []
    for (const path of pathsOf(fields)) {
      count += 1
      if (room <= 0) continue
      const text = pathString(path)
      room -= text.length
      paths.push(text)
    }
    return { name: managerText(entry), paths }
  })
  const causes = groups.flatMap(({ name, paths }) =>
    paths.map((field) => ({
      reason: 'FieldManagerConflict',
      message: `conflict with ${name}`,
      field,
    })),
  )
  return new StatusError(409, 'Conflict', message(groups, count), { details: { causes } })
}

interface Group {
  name: string
  paths: string[]
}

function message(groups: readonly Group[], count: number): string {
  const [first] = groups
  if (count === 1 && first !== undefined) {
    return `Apply failed with 1 conflict: conflict with ${first.name}: ${first.paths.join('')}`
  }
  const lines = groups.flatMap(({ name, paths }) => [
    `conflicts with ${name}:`,
    ...paths.map((path) => `- ${path}`),
  ])
  return `Apply failed with ${count} conflicts: ${lines.join('\n')}`
}

function managerText({ manager, subresource, operation, apiVersion }: ManagerEntry): string {
  const through = subresource === '' ? '' : ` with subresource ${goQuote(subresource)}`
  const using = operation === 'Update' ? ` using ${apiVersion}` : ''
  return `${goQuote(manager)}${through}${using}`
}
