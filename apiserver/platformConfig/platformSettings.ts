import type { AuditSettings } from '../audit/auditSettings.ts'
import { parseDuration } from '../encoding/queryValues.ts'
import type { NamesProfile } from '../meta/names/namesProfile.ts'
import {
  identityProviderSettings,
  type IdentityProviderSettings,
} from './identityProviderSettings.ts'

/** The configuration as the server uses it, independent of field names in the names profile. */
export interface PlatformSettings {
  /** Maximum time to live of any access key. 0: no limit. */
  accessKeyMaxTTLSeconds: number
  /** Time to live of a key created by a login. 0: no limit. */
  loginAccessKeyTTLSeconds: number
  /** Headers of every response below the login paths. */
  customHttpHeaders: Readonly<Record<string, string>>
  projectNamespacePrefix: string
  audit: AuditSettings
  secretStore: SecretStoreSettings
  disableConfigEndpoint: boolean
  authenticateVersionEndpoint: boolean
  /** `status.auth`, unchanged. */
  auth: Readonly<Record<string, unknown>>
  identityProvider: IdentityProviderSettings
  /** `status.uiSettings`, unchanged. */
  uiSettings: Readonly<Record<string, unknown>>
  /** Domain of the platform; empty: unset. */
  host: string
}

/** Settings of the secret store. Source: specification, "secretStore". */
export interface SecretStoreSettings {
  enabled: boolean
  /** Empty: the address in the server's environment. */
  address: string
  skipTLSVerify: boolean
  namespace: string
  /** A secret; empty: the token of the reference. */
  token: string
  tokenSecretRef: { name: string; key: string; optional: boolean } | undefined
  syncIntervalMs: number
}

/** Reads the settings. `status` is valid and has its defaults. */
export function platformSettings(
  status: Readonly<Record<string, unknown>>,
  names: NamesProfile,
): PlatformSettings {
  // Sound: the status was validated against the schema.
  const auth = (status['auth'] ?? {}) as Record<string, unknown> & AuthNumbers
  return {
    accessKeyMaxTTLSeconds: auth.accessKeyMaxTTLSeconds ?? 0,
    loginAccessKeyTTLSeconds: auth.loginAccessKeyTTLSeconds ?? 0,
    customHttpHeaders: auth.customHttpHeaders ?? {},
    // Sound for the same reason, here and below; the prefix has a default.
    projectNamespacePrefix: status['projectNamespacePrefix'] as string,
    audit: status['audit'] ?? {},
    secretStore: secretStoreSettings(status[names.secretStore] ?? {}),
    disableConfigEndpoint: status['disableConfigEndpoint'] === true,
    authenticateVersionEndpoint: status['authenticateVersionEndpoint'] === true,
    auth,
    identityProvider: identityProviderSettings(status['oidc']),
    uiSettings: (status['uiSettings'] ?? {}) as Record<string, unknown>,
    host: (status[`${names.platform}Host`] ?? '') as string,
  }
}

interface AuthNumbers {
  accessKeyMaxTTLSeconds?: number
  loginAccessKeyTTLSeconds?: number
  customHttpHeaders?: Record<string, string>
}

interface SecretStoreFields extends Partial<
  Pick<SecretStoreSettings, 'enabled' | 'address' | 'skipTLSVerify' | 'namespace'>
> {
  auth?: {
    token?: string
    tokenSecretRef?: { name?: string; key?: string; optional?: boolean }
  }
  syncInterval?: string
}

function secretStoreSettings(fields: SecretStoreFields): SecretStoreSettings {
  const { token = '', tokenSecretRef: reference } = fields.auth ?? {}
  return {
    enabled: fields.enabled ?? false,
    address: fields.address ?? '',
    skipTLSVerify: fields.skipTLSVerify ?? false,
    namespace: fields.namespace ?? '',
    token,
    tokenSecretRef: reference && {
      name: reference.name ?? '',
      key: reference.key ?? 'token',
      optional: reference.optional ?? false,
    },
    syncIntervalMs: parseDuration(fields.syncInterval ?? '1m'),
  }
}
