import type { UserInfo } from '../meta/types.ts'

const authenticatedGroup = 'system:authenticated'
const unauthenticatedGroup = 'system:unauthenticated'
const anonymousName = 'system:anonymous'

/** Adds the group of all authenticated users. Source: reference 7.1. */
export function withAuthenticatedGroup(user: UserInfo): UserInfo {
  const { name, groups } = user
  const isSaid = groups.includes(authenticatedGroup) || groups.includes(unauthenticatedGroup)
  if (name === anonymousName || isSaid) return user
  return { ...user, groups: [...groups, authenticatedGroup] }
}
