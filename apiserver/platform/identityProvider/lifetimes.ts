import type { Configuration } from 'oidc-provider'
import type { PlatformSettings } from '../../platformConfig/platformSettings.ts'

const minute = 60
const hour = 3600
/** Where a login has no end of its own: a year. */
const longestSeconds = 365 * 24 * hour

/** How long a login, and what follows of it, may last at most, in seconds. */
export function loginSeconds({ loginAccessKeyTTLSeconds: seconds }: PlatformSettings): number {
  return seconds > 0 ? seconds : longestSeconds
}

/** How long each piece of the provider's state lives, in seconds. */
export function lifetimes(login: number): NonNullable<Configuration['ttl']> {
  return {
    AccessToken: hour,
    AuthorizationCode: minute,
    IdToken: hour,
    Interaction: 10 * minute,
    // Whoever has not logged in may have one, too.
    Session: (_context, { accountId }) => (accountId === undefined ? 10 * minute : login),
    Grant: login,
    RefreshToken: login,
  }
}
