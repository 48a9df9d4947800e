import type { IncomingMessage } from 'node:http'
import type { PlaneAccess } from '../../apis/planeAccess.ts'
import type { Identity } from '../../authentication/identity.ts'
import type { JwtKeys } from '../../authentication/tokens/jwtKeys.ts'
import type { Clock } from '../../meta/clock.ts'
import type { NamesProfile } from '../../meta/names/namesProfile.ts'
import type { UserInfo } from '../../meta/types.ts'
import type { PlatformSettings } from '../../platformConfig/platformSettings.ts'
import type { SharedLogins } from '../logins/records/sharedLogins.ts'

/** Services of the server that the OpenID provider uses. */
export interface ProviderServices {
  names: NamesProfile
  clock: Clock
  access: PlaneAccess
  /** The configuration in effect: a new object after a change. */
  settings: () => PlatformSettings
  /** The server's address for users, independent of the request, without a trailing slash. */
  publicUrl: () => string
  /** The client address of a request. */
  addressOf: (request: IncomingMessage) => string
  /** State shared by servers with the same storage. */
  shared: Pick<SharedLogins, 'buckets' | 'newest'>
  authenticate: (key: string) => UserInfo | undefined
  /** The identity of a User object by name; undefined: it does not exist. */
  identityOf: (user: string) => Identity | undefined
  /** Signing keys used only for ID tokens. */
  signingKeys: JwtKeys
  /** The key that signs cookies. A secret. */
  cookieSecret: () => Promise<string>
  /** Called with errors outside of requests. */
  report: (error: unknown) => void
}
