import type { NamesProfile } from '../../meta/names/namesProfile.ts'

/** Settings for syncing project secrets, with defaults filled in. Source: specification, Config, "secretStore". */
export interface SecretStoreSettings {
  /** Affects only syncing. */
  enabled: boolean
  /** `https://host:port`, optionally with a path. Empty: from the environment. */
  address: string
  skipTLSVerify: boolean
  /** Namespace of the store, not of an object. Empty: none. */
  namespace: string
  /** A secret. Empty: the token of the reference. */
  token: string
  /** Undefined: if `token` is empty too, requests are sent without a token. */
  tokenSecretRef: TokenReference | undefined
  /** Interval of full syncs. */
  syncIntervalMs: number
}

/** The core Secret that holds the token. */
export interface TokenReference {
  name: string
  key: string
  /** True to send requests without a token if secret or key is missing; otherwise they are not sent. */
  optional: boolean
}

/**
 * The environment variable with the address: `SECRET_STORE_ADDR`, or according to the store's name in the names
 * profile.
 */
export function addressVariable({ secretStore }: NamesProfile): string {
  return `${secretStore.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase()}_ADDR`
}
