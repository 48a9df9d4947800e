import type { NamesProfile } from '../../meta/names/namesProfile.ts'
import type { UserInfo } from '../../meta/types.ts'
import type { Identity } from '../identity.ts'

/**
 * The access key of the operator. It is exempt from the platform's limits and always has all
 * rights, whatever happens to its user, so that the operator can undo a misconfiguration that locks
 * out everyone else.
 */
export interface OperatorKey {
  /** Name of the object that represents the key. */
  name: string
  digest: string
  /** Name of its User, which need not exist. */
  user: string
  /** Group that grants the key all rights. */
  group: string
  /**
   * True if the key was configured at start, and is valid even without its object. Otherwise,
   * deleting or disabling the object revokes the key.
   */
  isGiven: boolean
}

/** The user of the operator's key. @param identity of the key's User; undefined: there is none. */
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
