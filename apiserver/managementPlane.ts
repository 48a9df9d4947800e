import { ensureAdminAccess } from './adminAccess.ts'
import { contentFinalizer } from './apis/core/namespace.ts'
import { managementResources } from './apis/management/resources.ts'
import { AccessKeyAuthenticator } from './authentication/accessKeyAuthenticator.ts'
import { isPrivileged } from './authorization/privilegedGroup.ts'
import { AccessKeyActivity } from './controllers/accessKeyActivity.ts'
import { GarbageCollector } from './controllers/garbageCollector.ts'
import { NamespaceLifecycle } from './controllers/namespaceLifecycle.ts'
import { ControlPlane, type ControlPlaneOptions } from './controlplane.ts'
import type { AuthorizationAttributes } from './endpoints/authorizer.ts'
import type { Clock, Random } from './meta/clock.ts'
import type { ServerOptions } from './serverOptions.ts'
import { ensureNamespaces } from './startNamespaces.ts'
import type { Storage } from './storage/storage.ts'

export interface ManagementPlaneOptions {
  options: ServerOptions
  storage: Storage
  clock: Clock
  random: Random
  /** Told of errors that are nobody's request. */
  report: (error: unknown) => void
  documents: Pick<ControlPlaneOptions, 'build' | 'serveServerPath' | 'serverPaths'>
}

const described = /^\/(api|apis|openapi|version)(\/|$)|^\/$/

/** Whoever is authenticated may read what the API is; all else is for the privileged. */
function mayDo({ user, isResource, verb, path }: AuthorizationAttributes): boolean {
  if (isPrivileged(user)) return true
  return (
    !isResource &&
    verb === 'get' &&
    described.test(path) &&
    user.groups.includes('system:authenticated')
  )
}

/** The management API with what works behind it. */
export interface ManagementPlane {
  plane: ControlPlane
  authenticator: AccessKeyAuthenticator
  /** A secret. */
  adminAccessKey: string
  /** Ends controllers and watches. */
  close(): void
}

/** Makes the management API on a storage: its kinds, the objects of the first start, authentication and controllers. */
export async function openManagementPlane(
  request: ManagementPlaneOptions,
): Promise<ManagementPlane> {
  const { options, storage, clock, random, report } = request
  const isFirstStart = storage.revision === 0
  const kinds = managementResources(options.names, random)
  const plane = new ControlPlane({
    keyPrefix: '/management/',
    resources: Object.values(kinds),
    storage,
    clock,
    random,
    authorize: (attributes) => ({ allowed: mayDo(attributes), reason: '' }),
    ...request.documents,
  })
  const keys = plane.storeOf(kinds.keys)
  const users = plane.storeOf(kinds.users)
  const namespaces = plane.storeOf(kinds.namespaces)
  await ensureNamespaces(namespaces)
  const { dataDir, adminAccessKey: wanted } = options
  const adminAccessKey = await ensureAdminAccess({
    users,
    keys,
    random,
    dataDir,
    wanted,
    isFirstStart,
  })

  const activity = new AccessKeyActivity(keys, clock, report)
  const authenticator = new AccessKeyAuthenticator({
    keys,
    users,
    clock,
    onUse: (name) => activity.used(name),
  })
  await authenticator.start()
  const lifecycle = new NamespaceLifecycle({
    namespaces,
    resources: plane.resources,
    storeOf: (resource) => plane.storeOf(resource),
    clock,
    finalizer: contentFinalizer,
    report,
  })
  await lifecycle.start()
  const collector = new GarbageCollector({
    clock,
    report,
    locate: (key) => plane.locate(key),
    storeOf: (reference) => plane.storeOfKind(reference),
    follow: (listener) => plane.followObjects(listener),
  })
  await collector.start()
  const close = () => {
    collector.stop()
    lifecycle.stop()
    plane.close()
  }
  return { plane, authenticator, adminAccessKey, close }
}
