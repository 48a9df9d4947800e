import { messageOf } from '../../meta/messageOf.ts'
import { StatusError } from '../../meta/status.ts'
import { atOnce, type Steps } from '../../meta/waiting/steps.ts'
import { groupVersionString, type ApiObject } from '../../meta/types.ts'
import { applyConflict, conflictsOf, conflictsWithout, type Conflicts } from './applyConflict.ts'
import type { ApplyContext } from './applyContext.ts'
import { checkConfig, checkLive, checkType, checkUnmanaged } from './checkConfig.ts'
import { intersection, isEmpty } from './fields/fieldSet.ts'
import { fieldType } from './typed/fieldType.ts'
import { allowedByLastApplied, withLastApplied } from './lastApplied.ts'
import {
  decodeEntries,
  managerIdentifier,
  type ManagerEntry,
  type Managers,
} from './managers/managedEntries.ts'
import { mergeTyped } from './typed/mergeTyped.ts'
import { withManagers } from './managers/objectManagers.ts'
import { ownedFields } from './fields/ownedFields.ts'
import { afterChange, reconciled, written } from './managers/fieldOwnership.ts'
import { pruneFields } from './fields/pruneFields.ts'
import { sameValue } from './typed/typedValue.ts'
import { withoutUntracked } from './managers/untrackedFields.ts'
import { afterUpdate, emptyObject } from './managers/updateManagedFields.ts'
import { tracked, VersionedComparison, type TypedObject } from './versions.ts'

export interface ApplyOptions {
  manager: string
  /** True to take conflicting fields from their managers instead of failing. */
  force: boolean
}

/**
 * Applies a configuration to `live` (undefined: a new object) and returns the object with its
 * managedFields. Fields that the manager applied before and now omits are removed if no other
 * manager owns them. Unchanged parts are shared with the live object, and its times are kept.
 * Neither argument is changed. The caller has to apply: the canonical form, since a map or list
 * that became empty is null; defaults; and keepTimes(), for values that these make equal to the
 * live object.
 * @throws StatusError 400 for another kind or version and for managedFields in the configuration,
 * 409 for fields of others, 500 for a configuration that does not match the schema.
 * Source: Kubernetes, "Server-Side Apply"; apimachinery, managedfields, "FieldManager.Apply";
 * reference 3.11–3.13.
 */
export function applyObject(
  live: ApiObject | undefined,
  config: ApiObject,
  options: ApplyOptions,
  context: ApplyContext,
): ApiObject {
  return atOnce(applyInSteps(live, config, options, context))
}

/** Like applyObject(), in steps for large objects. */
export function* applyInSteps(
  stored: ApiObject | undefined,
  config: ApiObject,
  options: ApplyOptions,
  context: ApplyContext,
): Steps<ApiObject> {
  checkType(config, context)
  const type = fieldType(context.schema)
  const before = stored ?? emptyObject(context)
  const managers = yield* liveManagers(before, context)
  checkConfig(config, type)
  yield
  checkLive(before, type)
  yield
  const live = { object: before, type }
  const attempt = yield* attemptApply(live, config, managers, { options, context })
  yield
  if (!options.force) checkConflicts(attempt.conflicts, before, { options, context })
  const applied = withManagers(attempt.object, attempt.managers)
  return options.manager === 'kubectl' ? withLastApplied(applied, config) : applied
}

/** Managers of the live object. If there are none yet, a manager that represents earlier writes owns all fields. */
function* liveManagers(live: ApiObject, context: ApplyContext): Steps<Managers> {
  const managers = storedManagers(live)
  if (managers.size > 0) return managers
  checkUnmanaged(live, fieldType(context.schema))
  yield
  return yield* afterUpdate(undefined, live, managers, { manager: 'before-first-apply', context })
}

function storedManagers({ metadata }: ApiObject): Managers {
  try {
    return decodeEntries(metadata.managedFields ?? [])
  } catch (error) {
    const why = messageOf(error)
    throw new StatusError(500, '', `failed to decode managed fields: ${why}`, { cause: error })
  }
}

interface Request {
  options: ApplyOptions
  context: ApplyContext
}

interface Attempt {
  object: ApiObject
  managers: Managers
  conflicts: Conflicts
}

function* attemptApply(
  live: TypedObject,
  config: ApiObject,
  managers: Managers,
  { options, context }: Request,
): Steps<Attempt> {
  const known = reconciled(managers, live, context)
  const entry = applierEntry(options, context)
  const actor = managerIdentifier(entry)
  const last = known.get(actor)
  const set = tracked(ownedFields(config, live.type), context)
  const claimed = new Map(known).set(actor, { ...entry, time: last?.time, set })
  // Sound: merging two objects results in an object.
  yield
  const merged = mergeTyped(live.object, config, live.type) as ApiObject
  yield
  const next = yield* pruneFields({ object: merged, type: live.type }, last, claimed, context)
  yield
  const comparison = new VersionedComparison(live, next, context)
  comparison.in(groupVersionString(context))
  yield
  const after = afterChange(claimed, comparison, actor)
  yield
  const isUnchanged = sameValue(live.object, next.object)
  setApplied(after, actor, isUnchanged ? last?.time : context.now)
  return {
    object: isUnchanged ? live.object : next.object,
    managers: after,
    conflicts: conflictsOf(claimed, actor, ({ apiVersion, set: others }) => {
      const changes = comparison.in(apiVersion)
      return changes && intersection(others, written(changes))
    }),
  }
}

function applierEntry({ manager }: ApplyOptions, context: ApplyContext): ManagerEntry {
  return {
    manager: manager === '' ? 'unknown' : manager,
    operation: 'Apply',
    apiVersion: groupVersionString(context),
    subresource: context.subresource ?? '',
    time: undefined,
    set: {},
  }
}

function setApplied(
  managers: Map<string, ManagerEntry>,
  actor: string,
  time: string | undefined,
): void {
  const entry = managers.get(actor)
  if (entry === undefined) return
  const set = withoutUntracked(entry.set)
  if (isEmpty(set)) managers.delete(actor)
  else managers.set(actor, { ...entry, time, set })
}

/**
 * Checks conflicts; kubectl does not conflict with its own client-side apply.
 * @throws StatusError 409.
 */
function checkConflicts(
  conflicts: Conflicts,
  live: ApiObject,
  { options, context }: Request,
): void {
  if (conflicts.size === 0) return
  const allowed = options.manager === 'kubectl' ? allowedByLastApplied(live, context) : undefined
  const left = allowed === undefined ? conflicts : conflictsWithout(conflicts, allowed)
  if (left.size > 0) throw applyConflict(left)
}
