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
  /** The key of whoever runs the server. Absent: there is none. */
  operator?: OperatorKey
  clock: Clock
  /** The platform's limits as they are now. */
  limits: () => AccessKeyLimits
  report: (error: unknown) => void
}

/** Access keys at work. */
export interface AccessKeys {
  identities: Identities
  authenticator: AccessKeyAuthenticator
  /** The limits have changed. */
  limitsChanged(): void
  stop(): void
}

/** Begins to authenticate by the stored access keys, to note their use, to delete those that are over, and to forget
 *  what was kept with those that are gone. */
export async function openAccessKeys(options: AccessKeysOptions): Promise<AccessKeys> {
  const { keys, clock, report } = options
  const identities = new Identities(options)
  const activity = new AccessKeyActivity(keys, clock, report)
  const onUse = (name: string) => activity.used(name)
  const authenticator = new AccessKeyAuthenticator({ ...options, identities, onUse })
  await identities.start()
  await authenticator.start()
  const expiry = new AccessKeyExpiry({
    keys,
    clock,
    report,
    expiries: () => authenticator.expiries(),
    expiry: (name) => authenticator.expiry(name),
    ended: (name) => authenticator.ended(name),
  })
  // A user's tokens of an older generation are over too, and keys of service accounts that are gone.
  identities.onChange(({ endsTokens }) => endsTokens && expiry.check())
  await expiry.start()
  const stopForgetting = await new ConnectorData(keys).follow(report)
  return {
    identities,
    authenticator,
    limitsChanged: () => expiry.check(),
    stop: () => {
      stopForgetting()
      expiry.stop()
    },
  }
}
