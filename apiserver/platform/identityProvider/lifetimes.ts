import type { Configuration } from 'oidc-provider'
import type { PlatformSettings } from '../../platformConfig/platformSettings.ts'

const minute = 60
const hour = 3600
/** Maximum duration if logins do not expire: a year. */
const longestSeconds = 365 * 24 * hour

/** Maximum duration of a login and of everything derived from it, in seconds. */
export function loginSeconds({ loginAccessKeyTTLSeconds: seconds }: PlatformSettings): number {
  return seconds > 0 ? seconds : longestSeconds
}

/** Lifetimes of the provider's state by model, in seconds. */
export function lifetimes(login: number): NonNullable<Configuration['ttl']> {
  return {
    AccessToken: hour,
    AuthorizationCode: minute,
    IdToken: hour,
    Interaction: 10 * minute,
    // Visitors without a login have a session, too.
    Session: (_context, { accountId }) => (accountId === undefined ? 10 * minute : login),
    Grant: login,
    RefreshToken: login,
  }
}
