import type { NamesProfile } from '../../meta/names/namesProfile.ts'
import type { UserInfo } from '../../meta/types.ts'
import type { Identity } from '../identity.ts'

/**
 * The access key of the operator. It is exempt from the platform's limits and has all rights, whatever happens to its
 * user: it is the way out of a misconfiguration that locks out all others.
 */
export interface OperatorKey {
  /** Name of the key object that shows it. */
  name: string
  digest: string
  /** Name of its User, if there is one. */
  user: string
  /** The group that grants it all rights. */
  group: string
  /**
   * True if the key was configured at start and is valid without its object. Otherwise deleting or disabling the
   * object revokes it.
   */
  isGiven: boolean
}

/** The user of the operator's key. @param identity of its User; undefined: there is none. */
export function operatorInfo(
  { name, user, group }: OperatorKey,
  identity: Identity | undefined,
  { platform }: NamesProfile,
): UserInfo {
  const groups = identity?.groups ?? ['system:authenticated', `${platform}:authenticated`]
  return {
    name: identity?.name ?? user,
    uid: identity?.uid ?? '',
    groups: [...new Set([...groups, group])],
    extra: identity?.extra ?? {},
    credential: {
      accessKey: name,
      accessKeyType: 'User',
      ...(identity === undefined ? {} : { user }),
    },
  }
}
