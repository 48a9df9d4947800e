import type { ApiObject } from '../../../meta/types.ts'
import type { ResourceDefinition } from '../../../registry/resource.ts'
import type { RequestContext } from '../../../registry/strategy.ts'
import { linkAnnotations } from './accountLink.ts'
import { withDistinctNames } from './accountNames.ts'
import { noteEmailOrigin } from './emailOrigin.ts'
import { managementResource } from '../managementKind.ts'
import type { Platform } from '../platform.ts'
import { userStatus } from './userStatus.ts'

/**
 * The kind of users as accounts of a running platform: names are unique, the origin of an email address is recorded,
 * and the status lists the user's teams.
 */
export function withAccountRules(
  users: ResourceDefinition,
  platform: Platform,
): ResourceDefinition {
  const { names, access } = platform
  const prepare = (next: ApiObject, old: ApiObject | undefined, context: RequestContext): void => {
    noteEmailOrigin(next, old, context, names)
    next['status'] = userStatus(next, platform)
  }
  const strategy = {
    ...users.strategy,
    prepareForCreate: (object: ApiObject, context: RequestContext) =>
      prepare(object, undefined, context),
    prepareForUpdate: prepare,
  }
  const parts = {
    users: () => access.store(managementResource(names, 'users')),
    link: linkAnnotations(names.domain).identity,
  }
  return { ...users, strategy: withDistinctNames(strategy, parts) }
}
