import type { Steps } from '../../../meta/waiting/steps.ts'
import { groupVersionString, type ApiObject } from '../../../meta/types.ts'
import type { ApplyContext } from '../applyContext.ts'
import { difference, intersection, isEmpty, leaf, union, type FieldSet } from './fieldSet.ts'
import type { FieldType } from '../typed/fieldType.ts'
import type { ManagerEntry, Managers } from '../managers/managedEntries.ts'
import { withNamedFields } from './namedFields.ts'
import { ownedFields } from './ownedFields.ts'
import { removeItems } from '../typed/removeItems.ts'
import { inVersion, type TypedObject } from '../versions.ts'

/**
 * `merged` without fields that the applier owned before (`last`) and no longer applies, unless
 * another manager owns them. `managers` contain the currently applied fields. There is no shortcut
 * if it applies all of them again: a map applied as an empty one is removed even if it got an empty
 * list without an owner.
 * Source: structured-merge-diff, "prune"; reference 3.12.
 */
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

/** Restores pruned fields with an owner: version by version, the pruned version first. */
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

/** Restores pruned fields that the applier never owned, such as items without an owner. */
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
  // Sound: kind and apiVersion are in no manager's set, so an object stays one.
  return (removeItems(object, set, type) ?? object) as ApiObject
}
