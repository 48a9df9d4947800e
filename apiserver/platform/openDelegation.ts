import { ConnectionUsers } from '../authentication/certificates/connectionUsers.ts'
import { configMapData } from '../authentication/delegation/authenticationConfigMap.ts'
import { DelegateClient } from '../authentication/delegation/delegateClient.ts'
import { DelegatedRights } from '../authentication/delegation/delegatedRights.ts'
import { DelegatedTokens } from '../authentication/delegation/delegatedTokens.ts'
import { readKubeconfig } from '../authentication/delegation/kubeconfigFile.ts'
import { TrustSources } from '../authentication/delegation/trustSources.ts'
import type { Authorizer } from '../authorization/authorizer.ts'
import type { Authenticator } from '../endpoints/chainServices.ts'
import type { Logger } from '../runtime/logging.ts'
import type { Clock, Random } from '../meta/clock.ts'
import { unauthorized } from '../meta/statusErrors.ts'
import type { UserInfo } from '../meta/types.ts'
import type { ServerOptions } from '../runtime/options/serverOptions.ts'

export interface DelegationRequest {
  options: ServerOptions
  clock: Clock
  random: Random
  log: Logger
}

/** Authentication and authorization of users of other servers. */
export interface Delegation {
  users: ConnectionUsers
  /** Authorizes users of another server; undefined: disabled. */
  authorize: Authorizer | undefined
  /** An authenticator that also accepts users of other servers. */
  extend(own: Authenticator): Authenticator
  /** PEM of CAs to request client certificates for; undefined: never. */
  clientCas(): string | undefined
  /** The data published for extension servers, by the keys of the config map. */
  published(): Record<string, string>
  /** Calls `listener` whenever the CAs or the published data have changed. */
  onChange(listener: () => void): void
  stop(): void
}

/** Reads the configured sources, and follows them. @throws StartError */
export async function openDelegation(request: DelegationRequest): Promise<Delegation> {
  const { options, clock, random, log } = request
  const { delegation, names } = options
  const listeners: (() => void)[] = []
  const reviews = await clientOf(delegation.authenticationKubeconfig, clock)
  const rights = await clientOf(delegation.authorizationKubeconfig, clock)
  const sources = new TrustSources({
    options: delegation,
    client: reviews,
    clock,
    random,
    changed: () => listeners.forEach((listener) => listener()),
    failed: (err) => log.warn({ err }, 'cannot load the client CA; retrying'),
  })
  const stop = () => [sources.stop(), reviews?.close(), rights?.close()]
  try {
    await sources.start()
  } catch (error) {
    stop()
    throw error
  }
  const users = new ConnectionUsers({
    trust: () => sources.trust,
    names,
    clock,
    refused: (why) => log.debug({ why }, 'client certificate rejected'),
  })
  warnOfOpenDoor(sources, log)
  return {
    users,
    authorize: rights && rightsOf(rights, request),
    extend: (own) => extended(own, users, reviews && tokensOf(reviews, request)),
    clientCas: () => clientCas(options, sources),
    published: () => publishedOf(options, sources),
    onChange: (listener) => void listeners.push(listener),
    stop,
  }
}

async function clientOf(file: string | undefined, clock: Clock) {
  return file === undefined
    ? undefined
    : new DelegateClient({ address: await readKubeconfig(file), clock })
}

function rightsOf(client: DelegateClient, { options, ...rest }: DelegationRequest): Authorizer {
  const { authorizationAllowedTtlMs, authorizationDeniedTtlMs } = options.delegation
  const ttls = { allowedTtlMs: authorizationAllowedTtlMs, deniedTtlMs: authorizationDeniedTtlMs }
  return new DelegatedRights({ client, ...ttls, ...rest, names: options.names }).authorize
}

/** The authenticator of tokens; anonymous if the other server is unavailable, since a retry may succeed. */
function tokensOf(client: DelegateClient, { options, log, ...rest }: DelegationRequest) {
  const { names, delegation } = options
  const ttlMs = delegation.authenticationTokenTtlMs
  const tokens = new DelegatedTokens({ client, ttlMs, names, ...rest })
  return async (token: string): Promise<UserInfo | undefined> => {
    try {
      return await tokens.authenticate(token)
    } catch (err) {
      log.warn({ err }, 'token review failed')
      throw unauthorized()
    }
  }
}

function extended(
  own: Authenticator,
  users: ConnectionUsers,
  review: ((token: string) => Promise<UserInfo | undefined>) | undefined,
): Authenticator {
  const authenticate: Authenticator['authenticate'] = (token) => {
    const found = own.authenticate(token)
    if (review === undefined) return found
    if (found instanceof Promise) return found.then((user) => user ?? review(token))
    return found ?? review(token)
  }
  return {
    ...own,
    authenticate,
    authenticatePeer: (request, isForeignPage) => users.authenticate(request, isForeignPage),
  }
}

function isAsking({ delegation }: ServerOptions): boolean {
  const { clientCaFile, requestheaderClientCaFile, authenticationKubeconfig } = delegation
  const isLooking = authenticationKubeconfig !== undefined && !delegation.authenticationSkipLookup
  return isLooking || clientCaFile !== undefined || requestheaderClientCaFile !== undefined
}

function clientCas(options: ServerOptions, { trust }: TrustSources): string | undefined {
  if (!isAsking(options)) return undefined
  return [trust.clients?.pem, trust.frontProxy?.bundle.pem]
    .filter((pem) => pem !== undefined)
    .join('\n')
}

/** The data to publish, without CAs looked up from another server. */
function publishedOf({ delegation }: ServerOptions, { trust }: TrustSources) {
  const { clientCaFile, requestheaderClientCaFile } = delegation
  return configMapData(delegation, {
    clients: clientCaFile === undefined ? undefined : trust.clients?.pem,
    frontProxy: requestheaderClientCaFile === undefined ? undefined : trust.frontProxy?.bundle.pem,
  })
}

/** Warns that every client with a certificate could impersonate any user. */
function warnOfOpenDoor({ trust: { clients, frontProxy } }: TrustSources, log: Logger): void {
  if (frontProxy === undefined || frontProxy.allowedNames.length > 0) return
  if (clients?.pem.trim() !== frontProxy.bundle.pem.trim()) return
  const why =
    'client certificates and front proxies have the same authority, and any name is allowed'
  log.warn({}, `${why}: every client can impersonate users; set --requestheader-allowed-names`)
}
