import { alwaysLeading, type Leadership } from '../runtime/leadership.ts'
import { namespaceResource } from '../apis/kubernetes/core/namespace/namespace.ts'
import { PlaneAccess, type RightsOfPlane } from '../apis/planeAccess.ts'
import type { ServiceAccountTokens } from '../authentication/tokens/serviceAccountTokens.ts'
import type { ScopeCheck } from '../authorization/planeAuthorizer.ts'
import type { Authorizer } from '../authorization/authorizer.ts'
import { PlaneAuthorizer } from '../authorization/planeAuthorizer.ts'
import { EscalationGuard } from '../authorization/rbac/escalation.ts'
import { RbacAuthorizer } from '../authorization/rbac/rbacAuthorizer.ts'
import { RbacIndex } from '../authorization/rbac/rbacIndex.ts'
import { createAsServer, createUntracked } from '../controlPlane/createAsServer.ts'
import { ClusterObjects, type ServerAddress } from '../controlPlane/clusterObjects.ts'
import { AggregatedRoles } from '../controllers/aggregatedRoles.ts'
import { ControlPlane, type ControlPlaneOptions } from '../controlPlane/controlPlane.ts'
import { openCustomResources } from '../controlPlane/openCustomResources.ts'
import { planeCleaners } from '../controlPlane/planeCleaners.ts'
import { rbacStores } from '../controlPlane/planeRights.ts'
import { ensureNamespaces } from '../controlPlane/startNamespaces.ts'
import { ensureRoles } from '../controlPlane/startRoles.ts'
import {
  clusterControllers,
  type ClusterController,
} from '../runtime/options/clusterControllers.ts'
import type { ClusterKinds } from './clusterKinds.ts'

/** A service of an open plane. */
export interface Stoppable {
  stop(): void
}

/** Starts an additional service of a plane; it is stopped when the plane is closed. */
export type PlaneExtension = (plane: OpenedPlane) => Promise<Stoppable> | Stoppable

export interface OpenPlaneOptions extends Pick<
  ControlPlaneOptions,
  'keyPrefix' | 'storage' | 'clock' | 'random' | 'serveServerPath' | 'admissionPlugins'
> {
  kinds: ClusterKinds
  /** Groups with all rights. */
  superusers: readonly string[]
  scopeAllows: ScopeCheck
  authenticate: RightsOfPlane['authenticate']
  /** Authorizes requests that the roles of the plane do not allow. Absent: they are refused. */
  delegate?: Authorizer | undefined
  tokens: ServiceAccountTokens
  address: ServerAddress
  /** The controllers that run. Default: all. */
  controllers?: ReadonlySet<ClusterController>
  /** Range of the addresses of services. Default 10.96.0.0/12. */
  serviceRanges?: readonly string[]
  /** True for everything that kube-apiserver creates, as in ClusterObjects. Default false. */
  isComplete?: boolean
  extensions: readonly PlaneExtension[]
  /** Leadership among the servers that share the storage. Default: this is the only server. */
  leadership?: Leadership
  /**
   * Resolves when every server that shares the storage serves the writes up to a revision. Default: they already do.
   */
  servedByAll?: (revision: number) => Promise<void> | undefined
  /** Aborted when no request waits for the plane any longer; its parts are then stopped. */
  signal: AbortSignal
  report: (error: unknown) => void
}

/** The running API of a cluster: stores, rights and controllers, in memory only while it is used. */
export interface OpenedPlane {
  plane: ControlPlane
  /** Access to the plane for its kinds. */
  access: PlaneAccess
  /** Reports whether there are watches. */
  isWatched(): boolean
  /** Stops controllers and ends watches. */
  close(): void
}

/** Creates the plane of a key prefix and, the first time, the default objects of a cluster in one commit. */
export async function openPlane(options: OpenPlaneOptions): Promise<OpenedPlane> {
  const { kinds, authenticate, superusers, scopeAllows, tokens, delegate } = options
  const index = new RbacIndex()
  const rbac = new RbacAuthorizer(index, superusers)
  const decisions = new PlaneAuthorizer({ rbac, ownership: [], scopeAllows, delegate })
  const authorize = delegate === undefined ? decisions.authorize : decisions.decide
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
    serviceRanges: options.serviceRanges,
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
  const { leadership = alwaysLeading, servedByAll = () => undefined } = options
  const { controllers: enabled = clusterControllers, isComplete = false } = options
  const stores = rbacStores(kinds.rbac, { storeOf: (resource) => plane.storeOf(resource) })
  const namespaces = plane.storeOf(namespaceResource)
  // A warm cache lets both be written in one commit, namespaces before their content.
  await namespaces.cache.warm()
  const create = isComplete ? createAsServer : createUntracked
  await Promise.all([
    ensureNamespaces(namespaces, create),
    ensureRoles(stores, kinds.roles, create),
  ])
  await Promise.all([index.start(stores), plane.admission.start()])
  signal.throwIfAborted()
  const around = { clock, report }
  const lead = async () => {
    const clusterObjects = new ClusterObjects({ access, isComplete, enabled, ...around })
    const [lifecycle, collector] = planeCleaners({ plane, ...around })
    const all: [ClusterController, Stoppable & { start(): Promise<void> }][] = [
      [
        'clusterrole-aggregation-controller',
        new AggregatedRoles({ clusterRoles: stores.clusterRoles, ...around }),
      ],
      ['namespace-controller', lifecycle],
      ['garbage-collector-controller', collector],
    ]
    const controllers = all
      .filter(([name]) => enabled.has(name))
      .map(([, controller]) => controller)
    const stop = () => [clusterObjects, ...controllers].forEach((part) => part.stop())
    try {
      for (const controller of controllers) await controller.start()
      signal.throwIfAborted()
      clusterObjects.start(address, 0)
      return { stop }
    } catch (error) {
      stop()
      throw error
    }
  }
  running.push(await openCustomResources({ plane, access, clock, servedByAll, report }))
  running.push(await leadership.lead(lead))
  for (const extension of extensions) running.push(await extension(opened))
}
