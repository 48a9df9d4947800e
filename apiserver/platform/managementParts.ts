import type { PluginChoice } from '../runtime/options/admissionPlugins.ts'
import { builtInResources } from '../apis/kubernetes/builtInResources.ts'
import { BuiltInTypes } from '../apis/kubernetes/builtInTypes.ts'
import { AccessKeyOwnership } from '../apis/management/accessKeys/accessKeyOwnership.ts'
import { PullSecretRule } from '../apis/management/users/pullSecretRule.ts'
import { platformKinds, type PlatformKinds } from '../apis/management/platformKinds.ts'
import { warningKinds } from '../apis/management/references.ts'
import { managementResources, type ManagementResources } from '../apis/management/resources.ts'
import { PlaneAccess } from '../apis/planeAccess.ts'
import { ServiceAccountTokens } from '../authentication/tokens/serviceAccountTokens.ts'
import type { Authorizer } from '../authorization/authorizer.ts'
import { AccessScopes } from '../authorization/scope/accessScopes.ts'
import { ControlPlane, type ControlPlaneOptions } from '../controlPlane/controlPlane.ts'
import type { Clock, Random } from '../meta/clock.ts'
import { managementGroup } from '../meta/names/namesProfile.ts'
import type { UserInfo } from '../meta/types.ts'
import { openPlatformConfig } from './openPlatformConfig.ts'
import { PlaneKinds, type DocumentWords } from '../controlPlane/planeKinds.ts'
import { PlaneRights } from '../controlPlane/planeRights.ts'
import type { Replicas } from './replicas/replicas.ts'
import type { SharedFiles } from './replicas/sharedFiles.ts'
import type { PlatformConfig } from '../platformConfig/platformConfig.ts'
import { sharedLogins } from './logins/records/sharedLogins.ts'
import { PlatformServices } from './platformServices.ts'
import type { ResourceDefinition } from '../registry/resource.ts'
import type { ServerOptions } from '../runtime/options/serverOptions.ts'
import { clusterAudiences, storedObjects } from '../controlPlane/serviceAccounts.ts'
import type { Storage } from '../storage/storage.ts'

export const managementPrefix = '/management/'

export interface ManagementPlaneOptions {
  options: ServerOptions
  storage: Storage
  /** True if the operator accepted a partial loss of the stored data. Default false. */
  dataWasLost?: boolean
  clock: Clock
  random: Random
  /** Secrets, which other servers may share. */
  files: SharedFiles
  /** Servers that share the storage. */
  replicas: Replicas
  /** Called with errors outside of requests. */
  report: (error: unknown) => void
  documents: Pick<ControlPlaneOptions, 'serveServerPath'> & Omit<DocumentWords, 'title'>
  /** Authorizes users of another server. Absent: disabled. */
  delegate?: Authorizer | undefined
  /** Enabled admission plugins. Absent: none. */
  admissionPlugins?: PluginChoice
}

/** The management API before it starts: its kinds, its rights and the plane that serves them. */
export interface ManagementParts {
  access: PlaneAccess
  config: PlatformConfig
  platform: PlatformServices
  rights: PlaneRights
  scopes: AccessScopes
  /** Tokens of its service accounts. */
  tokens: ServiceAccountTokens
  kinds: ManagementResources & PlatformKinds
  plane: ControlPlane
}

/** Creates the parts. `authenticate` is only called once the server runs. */
export function managementParts(
  request: ManagementPlaneOptions,
  authenticate: (token: string) => UserInfo | undefined,
): ManagementParts {
  const { options, storage, clock, random, report, documents, delegate } = request
  const { names } = options
  const access = new PlaneAccess()
  const config = openPlatformConfig(options, report)
  const keeper = (name: string) => request.files.keeper(name)
  const logins = sharedLogins(storage, clock, request.replicas.leadership)
  const services = { ...{ names, clock, random, access, config, keeper }, logins, report }
  const platform = new PlatformServices(services)
  const projectNamespacePrefix = () => platform.projectNamespacePrefix()
  const scopes = new AccessScopes({ names, projectNamespacePrefix })
  const tokens = managementTokens(platform, storage)
  const types = new BuiltInTypes()
  const rights = new PlaneRights({
    names,
    types,
    objects: access,
    scopeAllows: scopes.check,
    projectNamespacePrefix,
    teamsOf: (user, groups) => platform.teamsWith(user, groups),
    ownership: [new AccessKeyOwnership(names, access), new PullSecretRule(names, access)],
    authenticate,
    tokens,
    delegate,
  })
  const kinds = ownKinds(request, { access, config, platform, rights })
  const builtIn = builtInResources({ types, access })
  const all = [...Object.values<ResourceDefinition>({ ...kinds, ...rights.kinds }), ...builtIn]
  const title = 'Platform management API'
  const planeKinds = new PlaneKinds(all, { title, ...documents })
  const plane = new ControlPlane({
    keyPrefix: managementPrefix,
    kinds: planeKinds,
    storage,
    clock,
    random,
    authorize: rights.authorizer.decide,
    report,
    serveServerPath: documents.serveServerPath,
    admissionPlugins: request.admissionPlugins,
  })
  access.bind({
    get resources() {
      return plane.resources
    },
    storeOf: (resource) => plane.storeOf(resource),
    authorize: plane.authorize,
    tokens,
  })
  return { access, config, platform, rights, scopes, tokens, kinds, plane }
}

/** The kinds of the platform, guarded by its rights. */
function ownKinds(
  { options: { names, maxAccessKeys }, random }: ManagementPlaneOptions,
  {
    access,
    config,
    platform,
    rights,
  }: Pick<ManagementParts, 'access' | 'config' | 'platform' | 'rights'>,
): ManagementParts['kinds'] {
  const warning = <Kinds extends object>(kinds: Kinds): Kinds => warningKinds(kinds, names, access)
  const resources = managementResources(names, random, access, { config, maxAccessKeys })
  return {
    ...rights.guarded(warning(resources)),
    ...rights.guarded(warning(platformKinds(platform, rights.accounts))),
  }
}

function managementTokens(platform: PlatformServices, storage: Storage): ServiceAccountTokens {
  return new ServiceAccountTokens(platform.tokenSigner, {
    issuer: () => platform.issuer(),
    audiences: [managementGroup(platform.names), ...clusterAudiences],
    find: storedObjects(storage, () => managementPrefix),
  })
}
