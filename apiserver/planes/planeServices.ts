import type { AuthorizationAttributes, AuthorizationDecision } from '../authorization/authorizer.ts'
import type { Authenticator } from '../endpoints/chainServices.ts'
import type { Clock } from '../meta/clock.ts'
import type { NamesProfile } from '../meta/names/namesProfile.ts'
import type { ClusterKinds } from './clusterKinds.ts'
import type { OpenedPlane } from './openedPlane.ts'
import type { PlaneObject } from './planeObject.ts'

/** What all doors share. */
export interface PlaneServices {
  names: NamesProfile
  clock: Clock
  kinds: ClusterKinds
  authenticatorOf(object: PlaneObject): Authenticator
  /** Whether the management API lets somebody use an object, and the scope of their credential anything of its plane. */
  mayUse(use: AuthorizationAttributes): AuthorizationDecision
  /** The signal ends it: nobody waits for it any more. */
  open(object: PlaneObject, uid: string, signal: AbortSignal): Promise<OpenedPlane>
  /** Told when a door was opened. */
  onOpen(door: OpenDoor): void
}

/** A door as whoever keeps memory in bounds sees it. */
export interface OpenDoor {
  readonly isOpen: boolean
  /** Nobody has a request on its way, or watches. */
  readonly isIdle: boolean
  /** When it was opened, or the last request ended since. */
  readonly usedAt: number
  /** Drops what stands behind the door; the next request makes it again. */
  drop(): void
}
