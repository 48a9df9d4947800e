/** Plane that a syncer connects to. */
export type SyncTarget = KubeconfigTarget | AddressTarget

/** Plane in a kubeconfig, with all its options: tokens, certificates, credentials commands. */
export interface KubeconfigTarget {
  /** Path of the file. */
  kubeconfig: string
  /** Undefined: the current context. */
  context?: string | undefined
}

/** URL with a token, for planes of this process over its own listener. */
export interface AddressTarget {
  /**
   * Base URL of the plane's API, with its prefix and without a trailing slash, such as
   * `https://127.0.0.1:8443/kubernetes/cluster/one`.
   */
  url: string
  /** PEM; undefined: the system's trust store. */
  caCertificate?: string | undefined
  /** Bearer token. */
  token: string
}
