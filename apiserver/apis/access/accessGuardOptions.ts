import type { AuthorizationAttributes } from '../../authorization/authorizer.ts'
import type { Owner } from '../../authorization/ownerRule.ts'
import type { EscalationGuard } from '../../authorization/rbac/escalation.ts'
import type { IdentityGroups } from '../../authorization/superusers.ts'
import type { NamesProfile } from '../../meta/names/namesProfile.ts'
import type { UserInfo } from '../../meta/types.ts'
import type { AccountGuard } from './accountGuard.ts'

/** Services of a plane that the write checks use. */
export interface AccessGuardOptions {
  names: NamesProfile
  guard: EscalationGuard
  groups: IdentityGroups
  accounts: AccountGuard
  /** Namespace that holds the cluster roles of an object's members, by object name. */
  memberNamespace: (name: string) => string
  /** Reports whether a user may do something with an object, as for a request. */
  may: (user: UserInfo, verb: string, on: ObjectAttributes) => boolean
  /** Reports whether any object belongs to a user or team of this name. */
  owns: (owner: Owner) => Promise<boolean>
}

type ObjectAttributes = Pick<AuthorizationAttributes, 'group' | 'resource' | 'namespace' | 'name'>
