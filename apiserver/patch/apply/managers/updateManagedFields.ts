import { groupVersionString, type ApiObject } from '../../../meta/types.ts'
import { atOnce, type Steps } from '../../../meta/waiting/steps.ts'
import type { ApplyContext } from '../applyContext.ts'
import { capManagers } from './capManagers.ts'
import { createdFields } from '../fields/createdFields.ts'
import { isEmpty, union, type FieldSet } from '../fields/fieldSet.ts'
import { fieldType } from '../typed/fieldType.ts'
import { managerIdentifier, type ManagerEntry, type Managers } from './managedEntries.ts'
import { sentManagers, withManagers } from './objectManagers.ts'
import { afterChange, reconciled, written } from './fieldOwnership.ts'
import { TypedValueError } from '../typed/typedValue.ts'
import { withoutUntracked } from './untrackedFields.ts'
import { tracked, VersionedComparison, type TypedObject } from '../versions.ts'

/**
 * `next` with its managedFields after a write by `manager`: the manager gains added and changed
 * fields, all others lose these and the removed ones. `live` is undefined for a create.
 * `next.metadata.managedFields` is the request's list: absent keeps the live entries, an empty list
 * or one blank entry resets them. An existing object without entries still has none. Neither
 * argument is changed.
 * Source: apimachinery, managedfields, "FieldManager.Update"; reference 3.11, 3.12.
 */
export function updateManagedFields(
  live: ApiObject | undefined,
  next: ApiObject,
  manager: string,
  context: ApplyContext,
): ApiObject {
  return (
    ofNewObject(live, next, manager, context) ??
    atOnce(managedFieldsInSteps(live, next, manager, context))
  )
}

/** Like updateManagedFields(), in steps for large objects. */
export function* managedFieldsInSteps(
  live: ApiObject | undefined,
  next: ApiObject,
  manager: string,
  context: ApplyContext,
): Steps<ApiObject> {
  const managers = sentManagers(live, next, context)
  if (managers.size === 0 && isStored(live)) return withManagers(next, managers)
  const bare = next.metadata.managedFields === undefined ? next : withManagers(next, new Map())
  const first = managers.size === 0 ? ofNewObject(live, bare, manager, context) : undefined
  if (first !== undefined) return first
  try {
    return withManagers(bare, yield* afterUpdate(live, bare, managers, { manager, context }))
  } catch (error) {
    // Not reported here: the following validation describes the problem to the client.
    if (!(error instanceof TypedValueError)) throw error
    return withManagers(bare, sentManagers(live, bare, context))
  }
}

/** Result for a new object that was sent without managers, if its fields alone determine it. */
function ofNewObject(
  live: ApiObject | undefined,
  next: ApiObject,
  manager: string,
  context: ApplyContext,
): ApiObject | undefined {
  if (live !== undefined || next.metadata.managedFields !== undefined) return undefined
  try {
    const set = fieldsOfNew(next, context)
    if (set === undefined) return undefined
    return withManagers(next, only({ ...updateEntry(manager, context), set }))
  } catch (error) {
    return mismatched(error, next)
  }
}

/** An object that does not match its schema has no managers: the following validation describes the problem. */
function mismatched(error: unknown, next: ApiObject): ApiObject {
  if (!(error instanceof TypedValueError)) throw error
  return withManagers(next, new Map())
}

function fieldsOfNew(next: ApiObject, context: ApplyContext): FieldSet | undefined {
  if (next.apiVersion !== groupVersionString(context)) return undefined
  const set = createdFields(next, emptyObject(context), fieldType(context.schema))
  return set && tracked(set, context)
}

function only(entry: ManagerEntry): Managers {
  return new Map(isEmpty(entry.set) ? [] : [[managerIdentifier(entry), entry]])
}

function isStored(live: ApiObject | undefined): boolean {
  return (live?.metadata.uid ?? '') !== ''
}

/**
 * The managers after `manager` changed `live` to `next`.
 * @throws TypedValueError for an object that does not match the schema.
 */
export function* afterUpdate(
  live: ApiObject | undefined,
  next: ApiObject,
  managers: Managers,
  { manager, context }: { manager: string; context: ApplyContext },
): Steps<Managers> {
  const type = fieldType(context.schema)
  const before: TypedObject = { object: live ?? emptyObject(context), type }
  const comparison = new VersionedComparison(before, { object: next, type }, context)
  const known = reconciled(managers, before, context)
  const changes = comparison.in(groupVersionString(context))
  yield
  const after = afterChange(known, comparison, undefined)
  yield
  if (changes === undefined) return after
  const set = withoutUntracked(written(changes))
  const entry = updateEntry(manager, context)
  const identifier = managerIdentifier(entry)
  const own = after.get(identifier)
  if (!isEmpty(set)) {
    after.set(identifier, { ...entry, set: own === undefined ? set : union(set, own.set) })
  }
  return capManagers(after)
}

function updateEntry(manager: string, context: ApplyContext): ManagerEntry {
  return {
    manager: manager === '' ? 'unknown' : manager,
    operation: 'Update',
    apiVersion: groupVersionString(context),
    subresource: context.subresource ?? '',
    time: context.now,
    set: {},
  }
}

/** The object that a new one is compared with. */
export function emptyObject(context: ApplyContext): ApiObject {
  const { emptyObject: empty, kind } = context
  return empty ?? { kind, apiVersion: groupVersionString(context), metadata: {} }
}
