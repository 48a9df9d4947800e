/** The rules of an encryption configuration, in order. Source: kube-apiserver, `apiserver.config.k8s.io/v1`. */
export interface EncryptionConfiguration {
  resources: readonly ResourceRule[]
}

export interface ResourceRule {
  /** `secrets`, `deployments.apps`, `*.apps`, `*.` (the core group) or `*.*`. */
  resources: readonly string[]
  /** Providers; the first one encrypts, all of them decrypt. */
  providers: readonly Provider[]
}

/** Provider; exactly one member is set in a valid configuration. */
export interface Provider {
  aesgcm?: Keys
  aescbc?: Keys
  secretbox?: Keys
  identity?: object
  kms?: KmsProvider
}

export interface Keys {
  keys: readonly NamedKey[]
}

export interface NamedKey {
  name: string
  /** Base64. */
  secret: string
}

export interface KmsProvider {
  apiVersion: string
  name: string
  /** `unix:///path` or, in the abstract namespace, `unix:///@name`. */
  endpoint: string
  timeoutMs: number
  /** Cache size; only in v1. */
  cachesize: number | undefined
}

export interface GroupResource {
  group: string
  resource: string
}

/** Resource of a rule; without a dot it belongs to the core group. */
export function parseGroupResource(text: string): GroupResource {
  const dot = text.indexOf('.')
  if (dot < 0) return { group: '', resource: text }
  return { group: text.slice(dot + 1), resource: text.slice(0, dot) }
}
