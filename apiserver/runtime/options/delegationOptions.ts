/**
 * Delegated authentication and authorization: users named by a front proxy, users with client certificates, and users
 * known to another API server. Everything is disabled by default. Source: reference 7.4, 7.5, 7.7.
 */
export interface DelegationOptions {
  /** PEM file of CAs. A client certificate signed by one of them authenticates its common name as the user. */
  clientCaFile: string | undefined
  /** PEM file of CAs. A front proxy with a certificate signed by one of them passes the user in request headers. */
  requestheaderClientCaFile: string | undefined
  /** PEM file of the certificate that identifies this server to others as a front proxy. */
  proxyClientCertFile: string | undefined
  proxyClientKeyFile: string | undefined
  /** Common names that the front proxy's certificate may have. Default none: any. */
  requestheaderAllowedNames: readonly string[]
  /** Default `x-remote-user`. */
  requestheaderUsernameHeaders: readonly string[]
  /** Default none, since older front proxies let their clients set this header. */
  requestheaderUidHeaders: readonly string[]
  /** Default `x-remote-group`. */
  requestheaderGroupHeaders: readonly string[]
  /** Default `x-remote-extra-`. */
  requestheaderExtraHeadersPrefix: readonly string[]
  /** Kubeconfig of the API server that authenticates tokens that this server did not issue. */
  authenticationKubeconfig: string | undefined
  /** True to skip reading unset options from that API server. Default false: they are read. */
  authenticationSkipLookup: boolean
  /** True if the server starts even if that lookup fails. Default false. */
  authenticationTolerateLookupFailure: boolean
  /** Time to cache the result of a token review. Default 10 seconds; 0 disables the cache. */
  authenticationTokenTtlMs: number
  /** Kubeconfig of the API server that authorizes users unknown to this server. */
  authorizationKubeconfig: string | undefined
  /** Time to cache "authorized" decisions. Default 10 seconds; 0 disables the cache. */
  authorizationAllowedTtlMs: number
  /** Time to cache "denied" decisions. Default 10 seconds; 0 disables the cache. */
  authorizationDeniedTtlMs: number
}

const cacheMs = 10_000

export const defaultDelegation: Readonly<DelegationOptions> = {
  clientCaFile: undefined,
  requestheaderClientCaFile: undefined,
  proxyClientCertFile: undefined,
  proxyClientKeyFile: undefined,
  requestheaderAllowedNames: [],
  requestheaderUsernameHeaders: ['x-remote-user'],
  requestheaderUidHeaders: [],
  requestheaderGroupHeaders: ['x-remote-group'],
  requestheaderExtraHeadersPrefix: ['x-remote-extra-'],
  authenticationKubeconfig: undefined,
  authenticationSkipLookup: false,
  authenticationTolerateLookupFailure: false,
  authenticationTokenTtlMs: cacheMs,
  authorizationKubeconfig: undefined,
  authorizationAllowedTtlMs: cacheMs,
  authorizationDeniedTtlMs: cacheMs,
}
