import type { Leadership } from '../runtime/leadership.ts'
import { ConnectorData } from '../apis/management/users/connectorData.ts'
import { AccessKeyAuthenticator } from '../authentication/accessKeys/accessKeyAuthenticator.ts'
import type { AccessKeyLimits } from '../authentication/accessKeys/accessKeyLifetime.ts'
import { Identities } from '../authentication/identities.ts'
import type { OperatorKey } from '../authentication/accessKeys/operatorKey.ts'
import { AccessKeyActivity } from '../controllers/accessKeyActivity.ts'
import { AccessKeyExpiry } from '../controllers/accessKeyExpiry.ts'
import type { Clock } from '../meta/clock.ts'
import type { NamesProfile } from '../meta/names/namesProfile.ts'
import type { Store } from '../registry/store.ts'

export interface AccessKeysOptions {
  names: NamesProfile
  keys: Store
  users: Store
  /** Absent: teams are not served. */
  teams?: Store
  /** Absent: service accounts are not served. */
  serviceAccounts?: Store
  /** The operator's key. Absent: none. */
  operator?: OperatorKey
  /** Leadership among the servers that share the storage; the leader deletes expired keys. */
  leadership: Leadership
  clock: Clock
  /** The platform's current limits. */
  limits: () => AccessKeyLimits
  report: (error: unknown) => void
}

/** The running services for access keys. */
export interface AccessKeys {
  identities: Identities
  authenticator: AccessKeyAuthenticator
  /** Called after a change of the limits. */
  limitsChanged(): void
  stop(): void
}

/**
 * Starts to authenticate stored access keys, to record their use, to delete expired keys, and to
 * remove the data of deleted keys.
 */
export async function openAccessKeys(options: AccessKeysOptions): Promise<AccessKeys> {
  const { keys, clock, report } = options
  const identities = new Identities(options)
  const activity = new AccessKeyActivity(keys, clock, report)
  const onUse = (name: string) => activity.used(name)
  const authenticator = new AccessKeyAuthenticator({ ...options, identities, onUse })
  await identities.start()
  await authenticator.start()
  const expiry = await options.leadership.lead(async () => {
    const opened = new AccessKeyExpiry({
      keys,
      clock,
      report,
      expiries: () => authenticator.expiries(),
      expiry: (name) => authenticator.expiry(name),
      ended: (name) => authenticator.ended(name),
    })
    await opened.start()
    return opened
  })
  // A change may also end a user's older tokens, and keys of deleted service accounts.
  identities.onChange(({ endsTokens }) => endsTokens && expiry.current?.check())
  const stopForgetting = await new ConnectorData(keys).follow(report)
  return {
    identities,
    authenticator,
    limitsChanged: () => expiry.current?.check(),
    stop: () => {
      stopForgetting()
      expiry.stop()
    },
  }
}
