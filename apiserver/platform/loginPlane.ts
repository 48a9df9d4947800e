import type { Authenticator } from '../endpoints/chainServices.ts'
import type { Plane } from '../endpoints/exchange.ts'
import type { UserInfo } from '../meta/types.ts'
import { anonymousUser } from '../endpoints/entry.ts'
import type { OpenedLogins } from './openLogins.ts'

/**
 * The login paths as a plane for the filter chain: every request is accepted, authenticated or anonymous. Each path
 * checks its own callers.
 */
export function loginPlane(
  management: Pick<Plane, 'resources' | 'storeOf' | 'authorize'>,
  authenticate: (token: string) => UserInfo | undefined,
  logins: OpenedLogins,
): Plane {
  // An expired credential is ignored: its owner wants to log in.
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
    // Impersonation requires the right to impersonate here, too.
    authorize: (request) =>
      request.verb === 'impersonate'
        ? management.authorize(request)
        : { allowed: true, reason: '' },
    serveDocument: async (exchange) => {
      await logins.serve(exchange)
      return true
    },
  }
}
