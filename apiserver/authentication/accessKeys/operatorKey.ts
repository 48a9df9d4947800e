import type { NamesProfile } from '../../meta/names/namesProfile.ts'
import type { UserInfo } from '../../meta/types.ts'
import type { Identity } from '../identity.ts'

/** The access key of whoever runs the server. No limit of the platform ends it, and whatever becomes of its user, it may do
 *  everything: otherwise nobody could put right what locks everybody out. */
export interface OperatorKey {
  /** Of the key object that shows it. */
  name: string
  digest: string
  /** The User that it acts as, where there is one. */
  user: string
  /** What it may do everything by. */
  group: string
  /** It was given at the start, and is of use without its object. Otherwise whoever deletes or disables the object ends it. */
  isGiven: boolean
}

/** Whom the key stands for. @param identity of its user; undefined: there is none. */
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
