import type { IncomingMessage } from 'node:http'
import type { PlaneAccess } from '../../apis/planeAccess.ts'
import type { Identity } from '../../authentication/identity.ts'
import type { JwtKeys } from '../../authentication/tokens/jwtKeys.ts'
import type { Clock } from '../../meta/clock.ts'
import type { NamesProfile } from '../../meta/names/namesProfile.ts'
import type { UserInfo } from '../../meta/types.ts'
import type { PlatformSettings } from '../../platformConfig/platformSettings.ts'

/** What the OpenID provider needs of the server. */
export interface ProviderServices {
  names: NamesProfile
  clock: Clock
  access: PlaneAccess
  /** The configuration that is in force: another object after a change. */
  settings: () => PlatformSettings
  /** Where users reach the server, whoever asks, without a slash at its end. */
  publicUrl: () => string
  /** The address that a request comes from. */
  addressOf: (request: IncomingMessage) => string
  authenticate: (key: string) => UserInfo | undefined
  /** By the name of the User object; undefined: there is none. */
  identityOf: (user: string) => Identity | undefined
  /** What ID tokens are signed with, and nothing else is. */
  signingKeys: JwtKeys
  /** What cookies are signed with. A secret. */
  cookieSecret: () => Promise<string>
  /** Told of errors that are nobody's request. */
  report: (error: unknown) => void
}
