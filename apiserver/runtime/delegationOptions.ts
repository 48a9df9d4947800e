/** How users of other servers come in: those that a front proxy names, those with client certificates, and those whom
 *  another API server knows. Everything is off until it is set. Source: reference 7.4, 7.5, 7.7. */
export interface DelegationOptions {
  /** PEM file of authorities. Who shows a certificate of theirs is whom it names. */
  clientCaFile: string | undefined
  /** PEM file of authorities. Who shows a certificate of theirs names users in headers. */
  requestheaderClientCaFile: string | undefined
  /** Common names of such certificates. Default none: any. */
  requestheaderAllowedNames: readonly string[]
  /** Default `x-remote-user`. */
  requestheaderUsernameHeaders: readonly string[]
  /** Default none, as older front proxies let their clients set it. */
  requestheaderUidHeaders: readonly string[]
  /** Default `x-remote-group`. */
  requestheaderGroupHeaders: readonly string[]
  /** Default `x-remote-extra-`. */
  requestheaderExtraHeadersPrefix: readonly string[]
  /** Kubeconfig of the API server that is asked whom tokens stand for. */
  authenticationKubeconfig: string | undefined
  /** Whether what is not set above is read there too. Default false: it is. */
  authenticationSkipLookup: boolean
  /** Whether the server starts where that cannot be read. Default false. */
  authenticationTolerateLookupFailure: boolean
  /** How long an answer about a token holds. Default 10 seconds; 0: every request asks. */
  authenticationTokenTtlMs: number
  /** Kubeconfig of the API server that is asked what users may do who are not of this one. */
  authorizationKubeconfig: string | undefined
  /** How long a yes holds. Default 10 seconds; 0: every request asks. */
  authorizationAllowedTtlMs: number
  /** How long a no holds. Default 10 seconds; 0: every request asks. */
  authorizationDeniedTtlMs: number
}

const cacheMs = 10_000

export const defaultDelegation: Readonly<DelegationOptions> = {
  clientCaFile: undefined,
  requestheaderClientCaFile: undefined,
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
