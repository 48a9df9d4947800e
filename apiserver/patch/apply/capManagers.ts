import { union } from './fieldSet.ts'
import { managerIdentifier, type ManagerEntry, type Managers } from './managedEntries.ts'

const maxUpdateManagers = 10

/** At most ten entries of updates: the oldest of a version are joined under the name `ancient-changes`.
 *  Source: apimachinery, managedfields, "capUpdateManagers"; reference 3.11. */
export function capManagers(managers: Managers): Managers {
  const updaters = [...managers].filter(([, entry]) => entry.operation === 'Update')
  let excess = updaters.length - maxUpdateManagers
  if (excess <= 0) return managers
  const capped = new Map(managers)
  const firstOfVersion = new Map<string, string>()
  for (const [identifier, entry] of updaters.sort(byAge)) {
    if (excess === 0) break
    const first = firstOfVersion.get(entry.apiVersion)
    if (first === undefined) {
      firstOfVersion.set(entry.apiVersion, identifier)
      continue
    }
    joinInto(capped, first, { identifier, entry })
    excess--
  }
  return capped
}

function joinInto(
  managers: Map<string, ManagerEntry>,
  first: string,
  { identifier, entry }: { identifier: string; entry: ManagerEntry },
): void {
  const { stored: _, ...fields } = entry
  const bucket = { ...fields, manager: 'ancient-changes', subresource: '' }
  const bucketIdentifier = managerIdentifier(bucket)
  let joined = managers.get(bucketIdentifier)
  if (joined === undefined) {
    joined = managers.get(first)
    managers.delete(first)
  }
  const set = joined === undefined ? entry.set : union(entry.set, joined.set)
  managers.set(bucketIdentifier, { ...bucket, set })
  // As the real server does: an entry that is the bucket itself goes, too.
  managers.delete(identifier)
}

function byAge([a, x]: [string, ManagerEntry], [b, y]: [string, ManagerEntry]): number {
  const [left, right] = x.time === y.time ? [a, b] : [x.time ?? '', y.time ?? '']
  return left < right ? -1 : left > right ? 1 : 0
}
