import { namespaceResource } from '../apis/kubernetes/core/namespace/namespace.ts'
import { PlaneAccess, type RightsOfPlane } from '../apis/planeAccess.ts'
import type { ServiceAccountTokens } from '../authentication/tokens/serviceAccountTokens.ts'
import type { ScopeCheck } from '../authorization/planeAuthorizer.ts'
import { PlaneAuthorizer } from '../authorization/planeAuthorizer.ts'
import { EscalationGuard } from '../authorization/rbac/escalation.ts'
import { RbacAuthorizer } from '../authorization/rbac/rbacAuthorizer.ts'
import { RbacIndex } from '../authorization/rbac/rbacIndex.ts'
import { ClusterObjects, type ServerAddress } from '../controlPlane/clusterObjects.ts'
import { AggregatedRoles } from '../controllers/aggregatedRoles.ts'
import { ControlPlane, type ControlPlaneOptions } from '../controlPlane/controlPlane.ts'
import { openCustomResources } from '../controlPlane/openCustomResources.ts'
import { planeCleaners } from '../controlPlane/planeCleaners.ts'
import { rbacStores } from '../controlPlane/planeRights.ts'
import { ensureNamespaces } from '../controlPlane/startNamespaces.ts'
import { ensureRoles } from '../controlPlane/startRoles.ts'
import type { ClusterKinds } from './clusterKinds.ts'
import type { PlaneObject } from './planeObject.ts'

/** Something that works behind an open plane. */
export interface Stoppable {
  stop(): void
}

/** Begins what works behind a plane beside its controllers; it ends when the plane is closed. */
export type PlaneExtension = (
  plane: OpenedPlane,
  object: PlaneObject,
) => Promise<Stoppable> | Stoppable

export interface OpenPlaneOptions extends Pick<
  ControlPlaneOptions,
  'keyPrefix' | 'storage' | 'clock' | 'random' | 'serveServerPath' | 'admissionPlugins'
> {
  kinds: ClusterKinds
  /** That brings the plane. */
  object: PlaneObject
  /** Groups whose members may do everything. */
  superusers: readonly string[]
  scopeAllows: ScopeCheck
  authenticate: RightsOfPlane['authenticate']
  tokens: ServiceAccountTokens
  address: ServerAddress
  extensions: readonly PlaneExtension[]
  /** Nobody waits for the plane any more: what was made of it ends. */
  signal: AbortSignal
  report: (error: unknown) => void
}

/** A cluster's API at work: stores, rights and controllers, all of them in memory only while somebody uses it. */
export interface OpenedPlane {
  plane: ControlPlane
  /** What its kinds know it by. */
  access: PlaneAccess
  /** Whether anybody watches. */
  isWatched(): boolean
  /** Ends controllers and watches. */
  close(): void
}

/** Makes the plane of a key prefix, and at the very first time the objects that every cluster begins with, in one commit. */
export async function openPlane(options: OpenPlaneOptions): Promise<OpenedPlane> {
  const { kinds, authenticate, superusers, scopeAllows, tokens } = options
  const index = new RbacIndex()
  const rbac = new RbacAuthorizer(index, superusers)
  const decisions = new PlaneAuthorizer({ rbac, ownership: [], scopeAllows })
  const authorize = decisions.authorize
  const plane = new ControlPlane({ ...options, kinds: kinds.planeKinds, authorize })
  const rights: RightsOfPlane = { guard: new EscalationGuard(rbac), decisions, authenticate }
  const access = new PlaneAccess()
  access.bind({
    get resources() {
      return plane.resources
    },
    storeOf: (resource) => plane.storeOf(resource),
    authorize,
    rights,
    tokens,
  })
  const running: Stoppable[] = [{ stop: () => plane.close() }]
  const opened: OpenedPlane = {
    plane,
    access,
    isWatched: () => plane.stores().some(({ cache }) => cache.watcherCount > 0),
    close: () => running.reverse().forEach((part) => part.stop()),
  }
  try {
    await start(opened, options, { index, running })
    options.signal.throwIfAborted()
    return opened
  } catch (error) {
    opened.close()
    throw error
  }
}

interface Starting {
  index: RbacIndex
  running: Stoppable[]
}

async function start(
  opened: OpenedPlane,
  options: OpenPlaneOptions,
  { index, running }: Starting,
): Promise<void> {
  const { plane, access } = opened
  const { kinds, clock, report, address, extensions, signal } = options
  const stores = rbacStores(kinds.rbac, { storeOf: (resource) => plane.storeOf(resource) })
  const namespaces = plane.storeOf(namespaceResource)
  // Both write in one commit, in which what a namespace holds comes after it.
  await namespaces.cache.warm()
  await Promise.all([ensureNamespaces(namespaces), ensureRoles(stores, kinds.roles)])
  await Promise.all([index.start(stores), plane.admission.start()])
  signal.throwIfAborted()
  const aggregated = new AggregatedRoles({ clusterRoles: stores.clusterRoles, clock, report })
  const clusterObjects = new ClusterObjects({ access, registersServices: false, clock, report })
  const controllers = [aggregated, ...planeCleaners({ plane, clock, report })]
  running.push(...controllers, clusterObjects)
  running.push(await openCustomResources({ plane, access, clock, report }))
  for (const controller of controllers) await controller.start()
  signal.throwIfAborted()
  clusterObjects.start(address, 0)
  for (const extension of extensions) running.push(await extension(opened, options.object))
}
