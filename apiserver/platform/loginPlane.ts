import type { Authenticator } from '../endpoints/chainServices.ts'
import type { Plane } from '../endpoints/exchange.ts'
import type { UserInfo } from '../meta/types.ts'
import { anonymousUser } from '../endpoints/entry.ts'
import type { OpenedLogins } from './openLogins.ts'

/** The login paths as the filter chain sees them: whoever comes is let in, as whom they show to be or as nobody. What a
 *  path asks of its callers is its own matter. */
export function loginPlane(
  management: Pick<Plane, 'resources' | 'storeOf'>,
  authenticate: (token: string) => UserInfo | undefined,
  logins: OpenedLogins,
): Plane {
  // A credential that is of no use any more is what somebody logs in for.
  const authenticator: Authenticator = {
    authenticate: (token) => authenticate(token) ?? anonymousUser,
    authenticateConnection: () => anonymousUser,
  }
  return {
    get resources() {
      return management.resources
    },
    storeOf: (resource) => management.storeOf(resource),
    authenticator,
    authorize: () => ({ allowed: true, reason: '' }),
    serveDocument: async (exchange) => {
      await logins.serve(exchange)
      return true
    },
  }
}
