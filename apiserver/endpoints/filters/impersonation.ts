import { serviceAccountNamed } from '../../authentication/tokens/serviceAccountClaims.ts'
import { labelErrors, subdomainErrors } from '../../meta/names/nameValidation.ts'
import { setMember } from '../../meta/json/plainMembers.ts'
import type { ObjectName } from '../../registry/storeTypes.ts'
import { badRequest } from '../../meta/statusErrors.ts'
import type { UserInfo } from '../../meta/types.ts'
import type { AuthorizationAttributes } from '../../authorization/authorizer.ts'
import { refusal } from '../response/forbidden.ts'
import type { Exchange } from '../exchange.ts'

const userHeader = 'impersonate-user'
const groupHeader = 'impersonate-group'
/** All groups in one header, since browsers cannot repeat a header. Source: platform facts 3.4. */
const joinedGroupHeader = 'impersonate-joined-group'
const uidHeader = 'impersonate-uid'
const extraPrefix = 'impersonate-extra-'

/**
 * Lets an authorized user act as another: each part of the other identity is authorized separately.
 * Source: reference 7.6.
 */
export function impersonate(exchange: Exchange): Promise<void> | undefined {
  return isAsked(exchange) ? actAs(exchange) : undefined
}

function isAsked({ request }: Exchange): boolean {
  for (const name in request.headers) if (name.startsWith('impersonate-')) return true
  return false
}

async function actAs(exchange: Exchange): Promise<void> {
  const wanted = wantedIdentity(exchange.request.rawHeaders)
  if (wanted === undefined) return
  if (wanted.name === '') {
    const asked = references(wanted)
    if (asked.length === 0) return
    exchange.response.setHeader('X-Content-Type-Options', 'nosniff')
    throw badRequest(`requested [${asked.join(' ')}] without impersonating a user`)
  }
  for (const request of impersonationRequests(wanted)) await check(exchange, request)
  exchange.user = withScopeOf(exchange.user, withImpliedGroups(wanted))
}

/** Requested parts without a user, in the library's form of object references. Source: reference 7.6. */
function references({ groups, extra, uid }: UserInfo): string[] {
  const inGroup = `${authenticationGroup}/v1`
  const extras = Object.entries(extra).flatMap(([key, values]) =>
    values.map((value) => `{UserExtra  ${value}  ${inGroup}  ${key}}`),
  )
  const ids = uid === '' ? [] : [`{UID  ${uid}  ${inGroup}  }`]
  return [...groups.map((group) => `{Group  ${group}    }`), ...extras, ...ids]
}

/** The identity in the headers; undefined: none. Lines with the same name are values of one list. */
function wantedIdentity(rawHeaders: readonly string[]): UserInfo | undefined {
  const wanted: UserInfo = { name: '', uid: '', groups: [], extra: {} }
  let isWanted = false
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase() ?? ''
    if (!name.startsWith('impersonate-')) continue
    isWanted = true
    take(wanted, name, rawHeaders[at + 1] ?? '')
  }
  return isWanted ? wanted : undefined
}

function take(wanted: UserInfo, name: string, value: string): void {
  // The first line of a user and of a UID is used.
  if (name === userHeader) wanted.name ||= value
  else if (name === uidHeader) wanted.uid ||= value
  else if (name === groupHeader) wanted.groups.push(value)
  else if (name === joinedGroupHeader)
    for (const group of joinedGroups(value)) wanted.groups.push(group)
  else if (name.startsWith(extraPrefix)) {
    const key = unescaped(name.slice(extraPrefix.length))
    const values = Object.hasOwn(wanted.extra, key) ? wanted.extra[key] : undefined
    // An unauthenticated client may send tens of thousands of values: the list is not copied for
    // each.
    if (values === undefined) setMember(wanted.extra, key, [value])
    else values.push(value)
  }
}

/** Splits groups; names may contain commas, but a comma followed by a space only occurs between groups. */
function joinedGroups(value: string): string[] {
  return value
    .split(', ')
    .map((group) => group.trim())
    .filter((group) => group !== '')
}

function unescaped(key: string): string {
  try {
    return decodeURIComponent(key)
  } catch {
    // Malformed percent-encoding is taken literally.
    return key
  }
}

interface ImpersonationRequest {
  group: string
  resource: string
  subresource: string
  namespace: string
  name: string
}

const authenticationGroup = 'authentication.k8s.io'

function impersonationRequests({ name, uid, groups, extra }: UserInfo): ImpersonationRequest[] {
  const core = { group: '', subresource: '', namespace: '' }
  const inGroup = { group: authenticationGroup, namespace: '' }
  return [
    userRequest(name),
    ...groups.map((group) => ({ ...core, resource: 'groups', name: group })),
    ...Object.entries(extra).flatMap(([subresource, values]) =>
      values.map((value) => ({ ...inGroup, resource: 'userextras', subresource, name: value })),
    ),
    ...(uid === '' ? [] : [{ ...inGroup, resource: 'uids', subresource: '', name: uid }]),
  ]
}

function userRequest(name: string): ImpersonationRequest {
  const account = serviceAccountNamed(name)
  // A name that is not a valid account name is a user name.
  if (account !== undefined && isAccountName(account)) {
    return { group: '', resource: 'serviceaccounts', subresource: '', ...account }
  }
  return { group: '', resource: 'users', subresource: '', namespace: '', name }
}

function isAccountName({ namespace, name }: ObjectName): boolean {
  return labelErrors(namespace).length === 0 && subdomainErrors(name).length === 0
}

async function check(exchange: Exchange, request: ImpersonationRequest): Promise<void> {
  const { user, path, plane } = exchange
  const attributes: AuthorizationAttributes = {
    ...request,
    user,
    verb: 'impersonate',
    isResource: true,
    version: '',
    path,
  }
  const { allowed, reason } = await plane.authorize(attributes)
  if (!allowed) throw refusal(exchange, attributes, reason)
}

/** Adds the groups implied by the user. Source: reference 7.6, "Groups". */
function withImpliedGroups(user: UserInfo): UserInfo {
  const { namespace, resource } = userRequest(user.name)
  const isAccount = resource === 'serviceaccounts'
  const given =
    isAccount && user.groups.length === 0
      ? ['system:serviceaccounts', `system:serviceaccounts:${namespace}`]
      : user.groups
  const known = ['system:authenticated', 'system:unauthenticated']
  const isKnown = given.some((group) => known.includes(group))
  if (user.name === 'system:anonymous') {
    return { ...user, groups: isKnown ? given : [...given, 'system:unauthenticated'] }
  }
  return { ...user, groups: isKnown ? given : [...given, 'system:authenticated'] }
}

/** Keeps the scope of the credential when impersonating. Source: specification, "Authentication" 4. */
function withScopeOf({ credential }: UserInfo, user: UserInfo): UserInfo {
  return credential?.scope === undefined
    ? user
    : { ...user, credential: { scope: credential.scope } }
}
