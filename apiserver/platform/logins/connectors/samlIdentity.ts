import type { Profile } from '@node-saml/node-saml'
import { isObject } from '../../../meta/json/isObject.ts'
import type { ExternalIdentity } from '../users/externalIdentity.ts'
import { brokenLogin, forbiddenLogin } from '../loginRefusals.ts'
import { isAllowed } from '../users/ssoGroups.ts'
import { listClaim, textClaim, type Claims } from './identityClaims.ts'
import type { SamlSettings } from './samlSettings.ts'

export interface ResponseChecks {
  /** The posted response. */
  xml: string
  requestId: string
  ssoIssuer: string | undefined
  redirectUri: string
}

/**
 * Checks in the verified parts that a response was meant for this login: the library checks some of them only in the
 * envelope of the assertion, which may be unsigned. Source: SAML 2.0 profiles, section 4.1.4.
 * @throws Error with the reason.
 */
export function checkResponse(profile: Profile, checks: ResponseChecks): void {
  const { xml, requestId, ssoIssuer, redirectUri } = checks
  if (ssoIssuer !== undefined && profile.issuer !== ssoIssuer) {
    throw new Error(`it is of the issuer ${profile.issuer}`)
  }
  const confirmations = confirmationsOf(profile)
  const isAnswer = confirmations.some(
    ({ InResponseTo, Recipient }) =>
      InResponseTo === requestId && (Recipient === undefined || Recipient === redirectUri),
  )
  if (!isAnswer) throw new Error('the assertion does not belong to this login')
  const root = /<(?:[\w.-]+:)?Response\b[^>]*>/.exec(xml)?.[0] ?? ''
  const destination = /\bDestination\s*=\s*(?:"([^"]*)"|'([^']*)')/.exec(root)
  const address = destination?.[1] ?? destination?.[2]
  if (address !== undefined && unescaped(address) !== redirectUri) {
    throw new Error(`its destination is ${address}`)
  }
}

function confirmationsOf(profile: Profile): { InResponseTo?: string; Recipient?: string }[] {
  const assertion = profile.getAssertion?.()['Assertion']
  return children(assertion, 'Subject')
    .flatMap((subject) => children(subject, 'SubjectConfirmation'))
    .flatMap((confirmation) => children(confirmation, 'SubjectConfirmationData'))
    .map((data) => (isObject(data) && isObject(data['$']) ? data['$'] : {}))
}

function children(value: unknown, name: string): unknown[] {
  const found = isObject(value) ? value[name] : undefined
  return Array.isArray(found) ? found : []
}

function unescaped(text: string): string {
  return text.replaceAll('&amp;', '&')
}

/** The identity in an assertion. @throws StatusError Forbidden for a user in none of the groups. */
export function samlIdentity(
  profile: Profile,
  settings: SamlSettings,
  connector: string,
): ExternalIdentity {
  const { nameID: userId } = profile
  if (typeof userId !== 'string' || userId === '')
    throw brokenLogin('the provider did not send a user id')
  const attributes: Claims = isObject(profile['attributes']) ? profile['attributes'] : {}
  const { usernameAttr, emailAttr } = settings
  const email = emailAttr === undefined ? undefined : textClaim(attributes, emailAttr)
  const username = usernameAttr === undefined ? undefined : textClaim(attributes, usernameAttr)
  const shown = username ?? email ?? userId
  return {
    connector,
    userId,
    username: shown,
    preferredUsername: shown,
    subject: userId,
    email,
    emailVerified: email !== undefined,
    displayName: undefined,
    icon: undefined,
    groups: groupsOf(attributes, settings),
    extraClaims: {},
    connectorData: undefined,
  }
}

function groupsOf(attributes: Claims, settings: SamlSettings): string[] {
  const { groupsAttr, groupsDelim = '', allowedGroups = [], filterGroups } = settings
  const sent = groupsAttr === undefined ? [] : listClaim(attributes, groupsAttr)
  const groups = groupsDelim === '' ? sent : sent.flatMap((text) => text.split(groupsDelim))
  if (!isAllowed(groups, allowedGroups)) {
    throw forbiddenLogin('the user is in none of the groups that may log in')
  }
  const isFiltered = filterGroups === true && allowedGroups.length > 0
  return isFiltered ? groups.filter((group) => allowedGroups.includes(group)) : groups
}
