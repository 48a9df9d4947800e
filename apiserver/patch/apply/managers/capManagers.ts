import { leaf, union, type FieldSet } from '../fields/fieldSet.ts'
import { managerIdentifier, type ManagerEntry, type Managers } from './managedEntries.ts'

const maxUpdateManagers = 10

/**
 * Limits update entries to ten: the oldest of a version are merged under the name `ancient-changes`.
 * Source: apimachinery, managedfields, "capUpdateManagers"; reference 3.11.
 */
export function capManagers(managers: Managers): Managers {
  const updaters = [...managers].filter(([, entry]) => entry.operation === 'Update')
  let excess = updaters.length - maxUpdateManagers
  if (excess <= 0) return managers
  const capped = new Map(managers)
  const joined = new Map<string, FieldSet[]>()
  const firstOfVersion = new Map<string, string>()
  for (const [identifier, entry] of updaters.sort(byAge)) {
    if (excess === 0) break
    const first = firstOfVersion.get(entry.apiVersion)
    if (first === undefined) {
      firstOfVersion.set(entry.apiVersion, identifier)
      continue
    }
    joinInto({ capped, joined }, first, { identifier, entry })
    excess--
  }
  for (const [identifier, sets] of joined) {
    const bucket = capped.get(identifier)
    if (bucket !== undefined) capped.set(identifier, { ...bucket, set: unionOf(sets) })
  }
  return capped
}

/** Merges by halves: one by one, each merge would scan all earlier ones. */
function unionOf(sets: readonly FieldSet[]): FieldSet {
  if (sets.length < 2) return sets[0] ?? leaf
  const middle = sets.length >> 1
  return union(unionOf(sets.slice(0, middle)), unionOf(sets.slice(middle)))
}

interface Buckets {
  capped: Map<string, ManagerEntry>
  /** The sets of each bucket before merging. */
  joined: Map<string, FieldSet[]>
}

function joinInto(
  { capped, joined }: Buckets,
  first: string,
  { identifier, entry }: { identifier: string; entry: ManagerEntry },
): void {
  const { stored: _, ...fields } = entry
  const bucket = { ...fields, manager: 'ancient-changes', subresource: '' }
  const bucketIdentifier = managerIdentifier(bucket)
  const there = capped.get(bucketIdentifier)
  const oldest = there ?? capped.get(first)
  if (there === undefined) capped.delete(first)
  const known = there === undefined ? undefined : joined.get(bucketIdentifier)
  const sets = known ?? (oldest === undefined ? [] : [oldest.set])
  sets.push(entry.set)
  joined.set(bucketIdentifier, sets)
  capped.set(bucketIdentifier, bucket)
  // Same as the real server: an entry that is the bucket itself is removed, too.
  capped.delete(identifier)
}

function byAge([a, x]: [string, ManagerEntry], [b, y]: [string, ManagerEntry]): number {
  const [left, right] = x.time === y.time ? [a, b] : [x.time ?? '', y.time ?? '']
  return left < right ? -1 : left > right ? 1 : 0
}
