import type { ExternalIdentity } from '../users/externalIdentity.ts'
import { brokenLogin, forbiddenLogin } from '../loginRefusals.ts'
import { isAllowed } from '../users/ssoGroups.ts'
import { extraClaims, isLeftOut, listClaim, textClaim, type Claims } from './identityClaims.ts'
import type { OidcSettings } from './oidcSettings.ts'

/**
 * The identity in the claims of an OpenID provider. @throws StatusError Unauthorized if a required claim is missing;
 * Forbidden for a user in none of the groups. Source: specification, "OIDC fields".
 */
export function oidcIdentity(
  claims: Claims,
  settings: OidcSettings,
  connector: string,
): ExternalIdentity {
  const { usernameClaim = 'sub', usernamePrefix = '', groupsPrefix = '' } = settings
  const userId = textClaim(claims, usernameClaim)
  if (userId === undefined) {
    throw brokenLogin(`the provider did not send the claim ${usernameClaim}, which names the user`)
  }
  const groups = groupsOf(claims, settings)
  const { email, emailVerified } = emailOf(claims, settings)
  const preferred = textClaim(claims, settings.preferredUsername ?? 'preferred_username')
  const username = usernameOf(claims, settings) ?? preferred ?? email ?? userId
  return {
    connector,
    userId,
    username: usernamePrefix + username,
    preferredUsername: preferred ?? username,
    subject: usernamePrefix + userId,
    email,
    emailVerified,
    displayName: textClaim(claims, 'name'),
    icon: textClaim(claims, 'picture'),
    groups: groups.map((group) => groupsPrefix + group),
    extraClaims: extraClaims(claims, settings.allowedExtraClaims ?? []),
    connectorData: undefined,
  }
}

function usernameOf(claims: Claims, { platformUsernameClaim: name }: OidcSettings) {
  return name === undefined ? undefined : textClaim(claims, name)
}

/** The email address, unless the provider says that it is unverified. */
function emailOf(claims: Claims, { emailClaim = 'email' }: OidcSettings) {
  const email = textClaim(claims, emailClaim)
  const verified = claims['email_verified']
  const emailVerified = email !== undefined && (verified === true || verified === 'true')
  const isDenied = verified === false || verified === 'false'
  return { email: isDenied ? undefined : email, emailVerified }
}

function groupsOf(claims: Claims, { groupsClaim = 'groups', groups: allowed = [] }: OidcSettings) {
  if (isLeftOut(claims, groupsClaim)) {
    throw forbiddenLogin(
      'the provider left the groups of the user out, since there are too many: an administrator of the provider can limit them',
    )
  }
  const groups = listClaim(claims, groupsClaim)
  if (!isAllowed(groups, allowed)) {
    throw forbiddenLogin('the user is in none of the groups that may log in')
  }
  return groups
}
