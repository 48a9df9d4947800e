import type { FieldError } from '../../meta/fieldErrors.ts'
import { managementGroup } from '../../meta/names/namesProfile.ts'
import type { ApiObject } from '../../meta/types.ts'
import type { ResourceDefinition, SubresourceDefinition } from '../../registry/resource.ts'
import type { Strategy } from '../../registry/strategy.ts'
import { AccessCheck } from './accessCheck.ts'
import type { AccessGuardOptions } from './accessGuardOptions.ts'
import { withAnnotation } from '../management/annotations.ts'
import { guardedAnnotations } from '../management/rightsTable.ts'

/**
 * Adds checks to kinds with fields that grant rights, so that writers cannot grant or revoke rights
 * that they lack. `rightsTable` lists the guarded kinds; others stay unchanged.
 * Source: platform facts 7.1, 7.3.
 */
export function guardAccess<Kinds extends object>(
  kinds: Kinds,
  options: AccessGuardOptions,
): Kinds {
  const guarded = Object.entries(kinds).map(([key, resource]: [string, ResourceDefinition]) => [
    key,
    guardedResource(resource, options),
  ])
  // Type-safe: each key keeps its resource.
  return Object.fromEntries(guarded) as Kinds
}

function guardedResource(
  resource: ResourceDefinition,
  options: AccessGuardOptions,
): ResourceDefinition {
  const { group, strategy, answers, plural, subresources } = resource
  if (answers !== undefined || group !== managementGroup(options.names)) return resource
  const check = new AccessCheck(resource, options)
  if (!check.isNeeded) return resource
  const kept = guardedAnnotations(plural, 'place', options.names.domain)
  return {
    ...resource,
    strategy: guardedStrategy(strategy, check),
    ...(subresources === undefined
      ? {}
      : { subresources: subresources.map((one) => keepingAnnotations(one, kept)) }),
  }
}

function guardedStrategy(strategy: Strategy, check: AccessCheck): Strategy {
  const passed = (errors: FieldError[], run: () => void): FieldError[] => {
    if (errors.length === 0) run()
    return errors
  }
  return {
    ...strategy,
    ...(check.guardsNames ? { authorizeWrite: guardedNames(strategy, check) } : {}),
    validate: (object, context) =>
      passed(strategy.validate?.(object, context) ?? [], () =>
        check.run(object, undefined, context),
      ),
    validateUpdate: (next, old, context) =>
      passed(strategy.validateUpdate?.(next, old, context) ?? [], () =>
        check.run(next, old, context),
      ),
  }
}

function guardedNames(
  strategy: Strategy,
  check: AccessCheck,
): NonNullable<Strategy['authorizeWrite']> {
  return async (next, old, context) => {
    await strategy.authorizeWrite?.(next, old, context)
    if (old === undefined) await check.checkOwned(next, context)
  }
}

/** Keeps annotations in status writes, since a status must not determine where clients connect. */
function keepingAnnotations(
  subresource: SubresourceDefinition,
  names: readonly string[],
): SubresourceDefinition {
  if (!('strategy' in subresource) || names.length === 0) return subresource
  const { strategy } = subresource
  const prepareForUpdate: Strategy['prepareForUpdate'] = (next, old, context) => {
    strategy.prepareForUpdate?.(next, old, context)
    for (const name of names) keep(next, old, name)
  }
  return { ...subresource, strategy: { ...strategy, prepareForUpdate } }
}

function keep(next: ApiObject, old: ApiObject, name: string): void {
  Object.assign(next, withAnnotation(next, name, old.metadata.annotations?.[name]))
}
