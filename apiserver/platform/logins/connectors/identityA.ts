import { isObject } from '../../../meta/json/isObject.ts'
import type { Clock } from '../../../meta/clock.ts'
import { forbiddenLogin } from '../loginRefusals.ts'
import { isAllowed } from '../users/ssoGroups.ts'
import { readPages } from './apiReads.ts'
import { textClaim, type Claims } from './identityClaims.ts'
import type { ClientSettings, ConnectorOptions } from './connector.ts'
import { OidcConnector } from './oidcConnector.ts'
import { serviceAccountToken } from './serviceAccount.ts'

/** Settings of the provider. Source: specification, "status.auth", identityA. */
export interface IdentityASettings extends ClientSettings {
  scopes?: readonly string[]
  hostedDomains?: readonly string[]
  groups?: readonly string[]
  serviceAccountFilePath?: string
  adminEmail?: string
}

export interface IdentityAAddresses {
  issuer: string
  /** The directory's API, with its version. */
  directoryUrl: string
  /** Scope of an access token that may read groups there. */
  directoryScope: string
}

/**
 * Login through a web identity provider: an OpenID provider with the user's domain in its ID
 * tokens; groups are read from the domain's directory.
 */
export function identityA(
  options: ConnectorOptions & { clock: Clock },
  settings: IdentityASettings,
  addresses: IdentityAAddresses,
): OidcConnector {
  const { hostedDomains = [], scopes = [] } = settings
  const [domain, other] = hostedDomains
  const hint = domain === undefined ? undefined : other === undefined ? domain : '*'
  return new OidcConnector({
    ...options,
    settings: {
      ...settings,
      groups: [],
      issuerUrl: addresses.issuer,
      scopes: scopes.length > 0 ? scopes : ['profile', 'email'],
    },
    parameters: hint === undefined ? {} : { hd: hint },
    restrict: async (claims) => {
      checkDomain(claims, hostedDomains)
      return { ...claims, groups: await groupsOf(claims, { ...options, settings, addresses }) }
    },
  })
}

/** Checks the user's domain in the signed claim; the parameter in the URL is only a hint. */
function checkDomain(claims: Claims, allowed: readonly string[]): void {
  const domain = textClaim(claims, 'hd')
  if (allowed.length === 0 || (domain !== undefined && allowed.includes(domain))) return
  throw forbiddenLogin('the user is in none of the domains that may log in')
}

interface DirectoryOptions extends ConnectorOptions {
  clock: Clock
  settings: IdentityASettings
  addresses: IdentityAAddresses
}

async function groupsOf(claims: Claims, options: DirectoryOptions): Promise<string[]> {
  const { settings, addresses, fetch, clock } = options
  const { serviceAccountFilePath: path, adminEmail = '', groups: allowed = [] } = settings
  const email = textClaim(claims, 'email')
  let groups: string[] = []
  if (path !== undefined && email !== undefined) {
    const asked = { path, subject: adminEmail, scope: addresses.directoryScope }
    const accessToken = await serviceAccountToken(asked, { fetch, clock })
    const first = `${addresses.directoryUrl}/groups?userKey=${encodeURIComponent(email)}`
    groups = await readPages(first, { fetch, accessToken }, (value) => groupsPage(value, first))
  }
  if (!isAllowed(groups, allowed)) {
    throw forbiddenLogin('the user is in none of the groups that may log in')
  }
  return groups
}

function groupsPage(value: unknown, first: string) {
  const page: Claims = isObject(value) ? value : {}
  const entries: unknown[] = Array.isArray(page['groups']) ? page['groups'] : []
  const items = entries.flatMap((entry) =>
    isObject(entry) ? (textClaim(entry, 'email') ?? []) : [],
  )
  const token = textClaim(page, 'nextPageToken')
  const next = token === undefined ? undefined : `${first}&pageToken=${encodeURIComponent(token)}`
  return { items, next }
}
