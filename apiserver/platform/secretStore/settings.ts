import type { NamesProfile } from '../../meta/names/namesProfile.ts'

/** How project secrets are synced, with every default filled in. Source: specification, Config, "secretStore". */
export interface SecretStoreSettings {
  /** Only syncing depends on it. */
  enabled: boolean
  /** `https://host:port`, perhaps with a path. Empty: that of the environment. */
  address: string
  skipTLSVerify: boolean
  /** Of the store, not of an object. Empty: none is named. */
  namespace: string
  /** A secret. Empty: that of the reference. */
  token: string
  /** Undefined: requests go without a token where there is none. */
  tokenSecretRef: TokenReference | undefined
  /** Between two syncs of everything. */
  syncIntervalMs: number
}

/** The core Secret that holds the token. */
export interface TokenReference {
  name: string
  key: string
  /** Requests go without a token where secret or key are missing; without this they are not made. */
  optional: boolean
}

/** The environment variable with the address: `SECRET_STORE_ADDR`, or as the names profile calls the store. */
export function addressVariable({ secretStore }: NamesProfile): string {
  return `${secretStore.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase()}_ADDR`
}
