import { groupVersionString } from '../../../meta/types.ts'
import type { ApplyContext } from '../applyContext.ts'
import type { Comparison } from '../typed/compareTyped.ts'
import { difference, isEmpty, union, type FieldSet } from '../fields/fieldSet.ts'
import type { ManagerEntry, Managers } from './managedEntries.ts'
import { reconcileFields } from '../fields/reconcileFields.ts'
import { inVersion, type TypedObject, type VersionedComparison } from '../versions.ts'

/** The managers under the current schema, without managers of removed versions. */
export function reconciled(
  managers: Managers,
  live: TypedObject,
  context: ApplyContext,
): Map<string, ManagerEntry> {
  const own = groupVersionString(context)
  const result = new Map<string, ManagerEntry>()
  for (const [identifier, entry] of managers) {
    const typed = entry.apiVersion === own ? live : inVersion(live, entry.apiVersion, context)
    if (typed === undefined) continue
    const set = reconcileFields(entry.set, typed.type)
    result.set(identifier, set === entry.set ? entry : withSet(entry, set))
  }
  return result
}

/**
 * The managers after a change: all except its author lose changed and removed fields, and are removed when nothing is
 * left.
 */
export function afterChange(
  managers: Managers,
  comparison: VersionedComparison,
  actor: string | undefined,
): Map<string, ManagerEntry> {
  const result = new Map<string, ManagerEntry>()
  for (const [identifier, entry] of managers) {
    const set = identifier === actor ? entry.set : setAfter(entry, comparison)
    if (set === undefined || isEmpty(set)) continue
    result.set(identifier, set === entry.set ? entry : withSet(entry, set))
  }
  return result
}

function withSet({ stored: _, ...entry }: ManagerEntry, set: FieldSet): ManagerEntry {
  return { ...entry, set }
}

function setAfter(entry: ManagerEntry, comparison: VersionedComparison): FieldSet | undefined {
  const changes = comparison.in(entry.apiVersion)
  if (changes === undefined) return undefined
  return difference(difference(entry.set, written(changes)), changes.removed)
}

/** The fields that a change set rather than removed. */
export function written({ added, modified }: Comparison): FieldSet {
  return union(modified, added)
}
