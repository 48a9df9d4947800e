import type { Steps } from '../../../meta/steps.ts'
import { groupVersionString, type ApiObject } from '../../../meta/types.ts'
import type { ApplyContext } from '../applyContext.ts'
import { difference, intersection, isEmpty, leaf, union, type FieldSet } from './fieldSet.ts'
import type { FieldType } from '../typed/fieldType.ts'
import type { ManagerEntry, Managers } from '../managers/managedEntries.ts'
import { withNamedFields } from './namedFields.ts'
import { ownedFields } from './ownedFields.ts'
import { removeItems } from '../typed/removeItems.ts'
import { inVersion, type TypedObject } from '../versions.ts'

/** `merged` without what the applier owned before (`last`), does not name any more, and nobody else owns. `managers`
 *  hold what the applier names now. There is no short cut where it names all again: a map applied as
 *  an empty one goes all the same where somebody put an empty list into it that nobody owns.
 *  Source: structured-merge-diff, "prune"; reference 3.12. */
export function* pruneFields(
  merged: TypedObject,
  last: ManagerEntry | undefined,
  managers: Managers,
  context: ApplyContext,
): Steps<TypedObject> {
  if (last === undefined || isEmpty(last.set)) return merged
  const converted = inVersion(merged, last.apiVersion, context)
  if (converted === undefined) return merged
  const lost = without(converted, withNamedFields(last.set, converted.type))
  yield
  const owned = yield* withOwnedItems(converted, lost, {
    managers,
    version: last.apiVersion,
    context,
  })
  yield
  const pruned = yield* withDanglingItems(converted, owned, { last, context })
  return inVersion(pruned, groupVersionString(context), context) ?? merged
}

interface OwnedItems {
  managers: Managers
  version: string
  context: ApplyContext
}

/** Takes back what was pruned and somebody owns: version by version, the one that was pruned in first. */
function* withOwnedItems(
  merged: TypedObject,
  pruned: TypedObject,
  { managers, version, context }: OwnedItems,
): Steps<TypedObject> {
  const entries = [...managers.values()]
  const isPruned = (entry: ManagerEntry) => entry.apiVersion === version
  const owned = new Map<string, FieldSet>()
  for (const { apiVersion, set } of [...entries.filter(isPruned), ...entries]) {
    owned.set(apiVersion, union(owned.get(apiVersion) ?? leaf, set))
  }
  let result = pruned
  for (const [apiVersion, set] of owned) {
    const all = inVersion(merged, apiVersion, context)
    const left = inVersion(result, apiVersion, context)
    if (all === undefined || left === undefined) continue
    const { type } = all
    yield
    const kept = union(named(left), withNamedFields(set, type))
    yield
    const gone = difference(named(all), kept)
    yield
    result = without(all, gone)
  }
  return result
}

/** Takes back what was pruned though the applier never owned it, as items that nobody owns. */
function* withDanglingItems(
  merged: TypedObject,
  pruned: TypedObject,
  { last, context }: { last: ManagerEntry; context: ApplyContext },
): Steps<TypedObject> {
  const left = inVersion(pruned, last.apiVersion, context)
  if (left === undefined) return merged
  const gone = difference(named(merged), named(left))
  yield
  return without(merged, intersection(gone, withNamedFields(last.set, merged.type)))
}

function named({ object, type }: TypedObject): FieldSet {
  return withNamedFields(ownedFields(object, type), type)
}

function without({ object, type }: TypedObject, set: FieldSet): TypedObject {
  return { object: asObject(object, set, type), type }
}

function asObject(object: ApiObject, set: FieldSet, type: FieldType): ApiObject {
  // kind and apiVersion are in no manager's set, so an object stays one.
  return (removeItems(object, set, type) ?? object) as ApiObject
}
