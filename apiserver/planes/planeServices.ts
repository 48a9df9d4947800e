import type { AuthorizationAttributes, AuthorizationDecision } from '../authorization/authorizer.ts'
import type { Authenticator } from '../endpoints/chainServices.ts'
import type { Clock } from '../meta/clock.ts'
import type { NamesProfile } from '../meta/names/namesProfile.ts'
import type { ClusterKinds } from './clusterKinds.ts'
import type { OpenedPlane } from './openedPlane.ts'
import type { PlaneObject } from './planeObject.ts'

/** Services shared by all entry points. */
export interface PlaneServices {
  names: NamesProfile
  clock: Clock
  kinds: ClusterKinds
  authenticatorOf(object: PlaneObject): Authenticator
  /**
   * Reports whether the management API allows a user to use an object, and the scope of the credential covers any
   * request to its plane.
   */
  mayUse(use: AuthorizationAttributes): AuthorizationDecision
  /** Opens a plane; aborted by the signal when no request waits for it. */
  open(object: PlaneObject, uid: string, signal: AbortSignal): Promise<OpenedPlane>
  /** Called when a plane was opened. */
  onOpen(planeEntry: OpenPlaneEntry): void
}

/** An entry point as seen by the memory limit. */
export interface OpenPlaneEntry {
  readonly isOpen: boolean
  /** True if there are neither requests nor watches. */
  readonly isIdle: boolean
  /** Time at which it was opened, or the last request ended. */
  readonly usedAt: number
  /** Drops the plane from memory; the next request opens it again. */
  drop(): void
}
