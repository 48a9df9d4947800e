import type { IncomingMessage } from 'node:http'
import type { Passwords } from '../../authentication/passwords.ts'
import type { PlaneAccess } from '../../apis/planeAccess.ts'
import type { Clock, Random } from '../../meta/clock.ts'
import type { NamesProfile } from '../../meta/names/namesProfile.ts'
import type { UserInfo } from '../../meta/types.ts'
import type { PlatformSettings } from '../../platformConfig/platformSettings.ts'
import type { SessionLimit } from './sessionLimit.ts'
import type { ClientOrigin } from './trustedProxies.ts'

/** What logins need of the server. */
export interface LoginServices {
  names: NamesProfile
  clock: Clock
  random: Random
  access: PlaneAccess
  passwords: Passwords
  sessions: SessionLimit
  /** The configuration that is in force. */
  settings: () => PlatformSettings
  /** Where users reach the server, without a slash at its end.
   *  @param base what a trusted proxy says of it; undefined: nothing. */
  publicUrl: (base: string | undefined) => string
  /** Where a request comes from, as far as that can be relied on. */
  originOf: (request: IncomingMessage) => ClientOrigin
  /** Whether a page of this origin may call; undefined: no origins are set. */
  allowsOrigin: ((origin: string) => boolean) | undefined
  authenticate: (key: string) => UserInfo | undefined
  /** Whether anything was given to a user of this name, who need not exist: rights, a team, objects. */
  isNamed: (user: string) => Promise<boolean>
  environment: Readonly<Record<string, string | undefined>>
  /** Told of errors that are nobody's request. */
  report: (error: unknown) => void
}
