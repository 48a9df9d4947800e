/** One of the two planes that a syncer works between. */
export type SyncTarget = KubeconfigTarget | AddressTarget

/** What a kubeconfig says, with everything that one can say: tokens, certificates, commands that give credentials. */
export interface KubeconfigTarget {
  /** Path of the file. */
  kubeconfig: string
  /** Undefined: the current context. */
  context?: string | undefined
}

/** An address with a token: for planes of this process, over its own listener. */
export interface AddressTarget {
  /** Where the plane's API begins, with its prefix and without a slash at the end, as
   *  `https://127.0.0.1:8443/kubernetes/cluster/one`. */
  url: string
  /** PEM; undefined: what the system trusts. */
  caCertificate?: string | undefined
  /** Bearer token. */
  token: string
}
