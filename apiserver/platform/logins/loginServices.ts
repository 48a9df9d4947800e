import type { IncomingMessage } from 'node:http'
import type { Passwords } from '../../authentication/passwords.ts'
import type { PlaneAccess } from '../../apis/planeAccess.ts'
import type { Clock, Random } from '../../meta/clock.ts'
import type { NamesProfile } from '../../meta/names/namesProfile.ts'
import type { UserInfo } from '../../meta/types.ts'
import type { PlatformSettings } from '../../platformConfig/platformSettings.ts'
import type { SessionLimit } from './limits/sessionLimit.ts'
import type { SharedLogins } from './records/sharedLogins.ts'
import type { ClientOrigin } from './trustedProxies.ts'

/** Services of the server that logins use. */
export interface LoginServices {
  names: NamesProfile
  clock: Clock
  random: Random
  access: PlaneAccess
  passwords: Passwords
  sessions: SessionLimit
  /** State shared by servers with the same storage. */
  shared: SharedLogins
  /** Key that seals pending logins, 64 hexadecimal digits. A secret. */
  sealingSecret: () => Promise<string>
  /** True if the web console is served, so that logins may continue there. */
  hasConsole: boolean
  /** The configuration in effect. */
  settings: () => PlatformSettings
  /**
   * The server's address for users, without a trailing slash.
   * @param base the address according to a trusted proxy; undefined: unknown.
   */
  publicUrl: (base: string | undefined) => string
  /** The origin of a request, as far as it can be trusted. */
  originOf: (request: IncomingMessage) => ClientOrigin
  /** Reports whether pages of this origin are allowed; undefined: no origins are configured. */
  allowsOrigin: ((origin: string) => boolean) | undefined
  authenticate: (key: string) => UserInfo | undefined
  /** Reports whether a user of this name, existing or not, has rights, a team or objects. */
  isNamed: (user: string) => Promise<boolean>
  environment: Readonly<Record<string, string | undefined>>
  /** Called with errors outside of requests. */
  report: (error: unknown) => void
}
