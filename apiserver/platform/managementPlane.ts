import { openAccessKeys, type AccessKeys } from './accessKeys.ts'
import { ensureAdminAccess, type AdminAccess } from './ensureAdminAccess.ts'
import { ensureAdminPassword } from './adminPassword.ts'
import type { AccessKeyAuthenticator } from '../authentication/accessKeys/accessKeyAuthenticator.ts'
import type { OperatorKey } from '../authentication/accessKeys/operatorKey.ts'
import { EndpointTokenAuthenticator } from '../authentication/tokens/endpointTokenAuthenticator.ts'
import { privilegedGroup } from '../authorization/privilegedGroup.ts'
import { identityGroups } from '../authorization/superusers.ts'
import { ClusterObjects, type ServerAddress } from '../controlPlane/clusterObjects.ts'
import { ProjectMembers } from '../controllers/projectMembers.ts'
import { ProjectNamespaces } from '../controllers/projectNamespace.ts'
import { UserTeams } from '../controllers/userTeams.ts'
import type { ControlPlane } from '../controlPlane/controlPlane.ts'
import { EventExpiry } from '../controlPlane/eventExpiry.ts'
import {
  managementParts,
  managementPrefix,
  type ManagementParts,
  type ManagementPlaneOptions,
} from './managementParts.ts'
import type { PlatformConfig } from '../platformConfig/platformConfig.ts'
import { readPlatformConfigFile } from './platformConfigFile.ts'
import { ExpiringValues } from './replicas/expiringValues.ts'
import { withStartLock } from './replicas/startLock.ts'
import type { Part } from '../runtime/leadership.ts'
import { planeCleaners } from '../controlPlane/planeCleaners.ts'
import { rbacStores } from '../controlPlane/planeRights.ts'
import type { PlatformServices } from './platformServices.ts'
import type { ResourceDefinition } from '../registry/resource.ts'
import { enabledControllers } from '../runtime/options/clusterControllers.ts'
import { openAggregation } from '../controlPlane/openAggregation.ts'
import { openCustomResources } from '../controlPlane/openCustomResources.ts'
import { openSecretSync } from './secretSync.ts'
import { ensureNamespaces } from '../controlPlane/startNamespaces.ts'

/** The management API and the services behind it. */
export interface ManagementPlane {
  plane: ControlPlane
  parts: ManagementParts
  /** Users and teams. */
  identities: AccessKeys['identities']
  authenticator: AccessKeyAuthenticator
  /** Authenticator for the planes of connected clusters only: its tokens are not valid for the management API. */
  endpointTokens: EndpointTokenAuthenticator
  config: PlatformConfig
  /** Platform services; their address is bound when the listeners are open. */
  platform: PlatformServices
  /** A secret. */
  adminAccessKey: string
  /** Passes the server's address to the services once it is listening. */
  listening(address: ServerAddress): void
  /** Stops controllers and ends watches. */
  close(): void
}

/** Running parts, to be stopped in reverse order. */
type Running = Part[]

/**
 * Creates the management API on a storage: its kinds, the objects of the first start, authentication and controllers.
 */
export async function openManagementPlane(
  request: ManagementPlaneOptions,
): Promise<ManagementPlane> {
  const running: Running = []
  const stop = () => running.reverse().forEach((part) => part.stop())
  try {
    return await startManagementPlane(request, running, stop)
  } catch (error) {
    stop()
    throw error
  }
}

async function startManagementPlane(
  request: ManagementPlaneOptions,
  running: Running,
  stop: () => void,
): Promise<ManagementPlane> {
  const parts = managementParts(request, (token) => accessKeys.authenticator.authenticate(token))
  const { plane, config, platform, access, rights } = parts
  running.push({ stop: () => plane.close() }, rights)
  running.push({ stop: () => void platform.close().catch(request.report) })
  const { storage, clock, files } = request
  const { key: adminAccessKey, operator } = await withStartLock(storage, clock, async () => {
    await files.getAdminKey()
    const made = await makeFirstObjects(parts, request)
    await files.shareAdminKey()
    return made
  })
  const accessKeys = await openKeys(parts, request, operator)
  running.push(accessKeys)
  await plane.admission.start()
  await startProjects(parts, { request, accessKeys, running })
  await startMembers(parts, { request, running })
  await startUserTeams(parts, { request, running })
  await startSecrets(parts, { request, accessKeys, running })
  running.push(
    await openCustomResources({ ...request, plane, access, servedByAll: servedByAll(request) }),
  )
  const { delegation } = request.options
  running.push(await openAggregation({ ...request, plane, access, files: delegation }))
  await startCleaners(parts, { request, running })
  await request.replicas.start(() =>
    access.store({ group: 'coordination.k8s.io', resource: 'leases' }),
  )
  return {
    plane,
    parts,
    identities: accessKeys.identities,
    authenticator: accessKeys.authenticator,
    endpointTokens: endpointTokensOf(parts, request, accessKeys),
    config,
    platform,
    adminAccessKey,
    listening: (address) => void startClusterObjects(access, { request, running }, address),
    close: stop,
  }
}

/** Creates namespaces, roles, the configuration and the administrator. Returns the administrator's key. */
async function makeFirstObjects(
  { plane, kinds, rights, config, platform }: ManagementParts,
  { options, storage, clock, random, report, dataWasLost = false }: ManagementPlaneOptions,
): Promise<AdminAccess> {
  const { dataDir, adminAccessKey: wanted, platformConfigFile } = options
  // The administrator may be among the lost data.
  await storage.reachNewest()
  const { items } = await storage.list({ prefix: managementPrefix }, { limit: 1 })
  const isFirstStart = items.length === 0 || dataWasLost
  const storeOf = (resource: ResourceDefinition) => plane.storeOf(resource)
  const namespaces = storeOf(kinds.namespaces)
  // Only the platform's own kinds: examining the built-in ones would create their schemas.
  const resources = Object.values<ResourceDefinition>({ ...kinds })
  // A warm cache lets both be written in one commit, namespaces before their content.
  await namespaces.cache.warm()
  await Promise.all([
    ensureNamespaces(namespaces),
    rights.start({ resources, storeOf, clock, report }),
  ])
  const configFile = await readPlatformConfigFile(platformConfigFile)
  await config.start({ secrets: storeOf(kinds.secrets), namespaces }, configFile)
  await ensureAdminPassword(options.adminPassword, platform)
  const users = storeOf(kinds.users)
  const keys = storeOf(kinds.keys)
  return ensureAdminAccess({ users, keys, random, dataDir, wanted, isFirstStart })
}

async function openKeys(
  { plane, kinds, access, config }: ManagementParts,
  { options, clock, report, replicas: { leadership } }: ManagementPlaneOptions,
  operator: OperatorKey,
): Promise<AccessKeys> {
  const accessKeys = await openAccessKeys({
    operator,
    leadership,
    names: options.names,
    keys: plane.storeOf(kinds.keys),
    users: plane.storeOf(kinds.users),
    teams: plane.storeOf(kinds.teams),
    serviceAccounts: access.store({ group: '', resource: 'serviceaccounts' }),
    clock,
    limits: () => config.current(),
    report,
  })
  config.onChange(() => accessKeys.limitsChanged())
  return accessKeys
}

interface Starting {
  request: ManagementPlaneOptions
  running: Running
}

async function startProjects(
  { plane, kinds, config, platform }: ManagementParts,
  { request, accessKeys, running }: Starting & { accessKeys: AccessKeys },
): Promise<void> {
  const { options, clock, report } = request
  const open = () =>
    new ProjectNamespaces({
      projects: plane.storeOf(kinds.projects),
      namespaces: plane.storeOf(kinds.namespaces),
      clock,
      prefix: () => platform.projectNamespacePrefix(),
      label: `${options.names.domain}/project`,
      report,
    })
  platform.bind({ ...accessKeys, projects: open() })
  const projects = await request.replicas.leadership.lead(() => started(open()))
  running.push(projects)
  config.onChange(() => projects.current?.ensureAll())
}

async function startMembers(
  { plane, kinds, rights, config, platform }: ManagementParts,
  { request, running }: Starting,
): Promise<void> {
  const { options, clock, report } = request
  const { names } = options
  const storeOf = (resource: ResourceDefinition) => plane.storeOf(resource)
  const open = () =>
    new ProjectMembers({
      rbac: rbacStores(rights.kinds, { storeOf }),
      projects: storeOf(kinds.projects),
      namespaces: storeOf(kinds.namespaces),
      names: { ...names, groups: identityGroups(names) },
      prefix: () => platform.projectNamespacePrefix(),
      clock,
      report,
    })
  const members = await request.replicas.leadership.lead(() => started(open()))
  running.push(members)
  config.onChange(() => members.current?.checkAll())
}

async function startUserTeams(
  { plane, kinds }: ManagementParts,
  { request: { clock, report, replicas }, running }: Starting,
): Promise<void> {
  const users = plane.storeOf(kinds.users)
  const teams = plane.storeOf(kinds.teams)
  const open = () => started(new UserTeams({ users, teams, clock, report }))
  running.push(await replicas.leadership.lead(open))
}

async function startSecrets(
  { plane, kinds, config, access }: ManagementParts,
  { request, accessKeys, running }: Starting & { accessKeys: AccessKeys },
): Promise<void> {
  const { options, clock, report } = request
  const open = async () => {
    const secretSync = await openSecretSync({
      names: options.names,
      access,
      identities: accessKeys.identities,
      sharedSecrets: plane.storeOf(kinds.sharedSecrets),
      projectSecrets: plane.storeOf(kinds.projectSecrets),
      secrets: plane.storeOf(kinds.secrets),
      environment: options.environment,
      clock,
      report,
    })
    secretSync.update(config.current().secretStore)
    return secretSync
  }
  const secretSync = await request.replicas.leadership.lead(open)
  running.push(secretSync)
  config.onChange(({ secretStore }) => secretSync.current?.update(secretStore))
}

/** Starts the controllers that remove orphaned objects. */
async function startCleaners(
  { plane }: ManagementParts,
  { request, running }: Starting,
): Promise<void> {
  const { leadership } = request.replicas
  const enabled = enabledControllers(request.options.controllers)
  const cleaners = () => planeCleaners({ plane, ...request })
  if (enabled.has('namespace-controller'))
    running.push(await leadership.lead(() => started(cleaners()[0])))
  if (enabled.has('garbage-collector-controller'))
    running.push(await leadership.lead(() => started(cleaners()[1])))
  running.push(await leadership.lead(() => eventExpiry(request)))
  if (request.storage.isShared)
    running.push(await leadership.lead(() => new ExpiringValues(request)))
}

/** Starts in the background, without delaying requests. */
function eventExpiry({ options, storage, clock, report }: ManagementPlaneOptions): Part {
  const ttlMs = options.eventTtlSeconds * 1000
  if (ttlMs === 0) return { stop: () => undefined }
  const events = new EventExpiry({ storage, clock, ttlMs, report })
  void events.start().catch(report)
  return events
}

/** Starts after the listeners, without delaying requests. */
async function startClusterObjects(
  access: ManagementParts['access'],
  { request, running }: Starting,
  address: ServerAddress,
): Promise<void> {
  const open = () => {
    const enabled = enabledControllers(request.options.controllers)
    const objects = { access, isComplete: true, enabled }
    const clusterObjects = new ClusterObjects({ ...objects, ...request })
    clusterObjects.start(address)
    return clusterObjects
  }
  running.push(await request.replicas.leadership.lead(open))
}

/** Waits until every server that shares the storage serves a revision. */
function servedByAll({ replicas }: ManagementPlaneOptions) {
  return (revision: number) => replicas.reached(revision)
}

async function started<Started extends Part & { start(): Promise<void> }>(
  part: Started,
): Promise<Started> {
  await part.start()
  return part
}

function endpointTokensOf(
  { platform }: ManagementParts,
  { options, clock }: ManagementPlaneOptions,
  { identities }: AccessKeys,
): EndpointTokenAuthenticator {
  return new EndpointTokenAuthenticator({
    keys: platform.tokenKeys,
    identities,
    names: options.names,
    clock,
    adminGroups: [privilegedGroup, 'system:authenticated'],
  })
}
