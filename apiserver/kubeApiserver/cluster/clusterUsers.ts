import { timingSafeEqual } from 'node:crypto'
import type { Authenticator } from '../../endpoints/chainServices.ts'
import { anonymousUser } from '../../endpoints/entry.ts'
import type { UserInfo } from '../../meta/types.ts'

/** Authenticates the users of a token file, and anonymous users if allowed. */
export function clusterUsers(
  tokens: ReadonlyMap<string, UserInfo>,
  isAnonymousAllowed: boolean,
): Authenticator {
  const known = [...tokens].map(([token, user]) => ({ bytes: Buffer.from(token), user }))
  return {
    authenticate: (token) => {
      const shown = Buffer.from(token)
      // Every token is compared, in constant time.
      const found = known.filter(
        ({ bytes }) => bytes.length === shown.length && timingSafeEqual(bytes, shown),
      )
      return found[0]?.user
    },
    ...(isAnonymousAllowed ? { authenticateConnection: () => anonymousUser } : {}),
  }
}
