import type { AuthorizationAttributes } from '../../authorization/authorizer.ts'
import type { Owner } from '../../authorization/ownership.ts'
import type { EscalationGuard } from '../../authorization/rbac/escalation.ts'
import type { IdentityGroups } from '../../authorization/superusers.ts'
import type { NamesProfile } from '../../meta/names/namesProfile.ts'
import type { UserInfo } from '../../meta/types.ts'
import type { AccountGuard } from './accountGuard.ts'

/** What the checks of writes ask of a plane. */
export interface AccessGuardOptions {
  names: NamesProfile
  guard: EscalationGuard
  groups: IdentityGroups
  accounts: AccountGuard
  /** Where the members of an object have their cluster roles, by its name. */
  memberNamespace: (name: string) => string
  /** Whether somebody may do something with an object, as a request would be judged. */
  may: (user: UserInfo, verb: string, on: ObjectAttributes) => boolean
  /** Whether any object belongs to a user or team of this name. */
  owns: (owner: Owner) => Promise<boolean>
}

type ObjectAttributes = Pick<AuthorizationAttributes, 'group' | 'resource' | 'namespace' | 'name'>
