import { isDeepStrictEqual } from 'node:util'
import type { AuthorizationDecision } from '../../../authorization/authorizer.ts'
import { forbiddenField, type FieldError } from '../../../meta/fieldErrors.ts'
import { invalid } from '../../../meta/statusErrors.ts'
import type { ApiObject, UserInfo } from '../../../meta/types.ts'
import type { RequestContext, Strategy } from '../../../registry/strategy.ts'
import type { PlaneAccess } from '../../planeAccess.ts'
import type { ParamKind } from '../shapes/admissionregistrationV1.ts'
import { admissionGroup, admissionPlural } from './admissionNames.ts'
import { bindingSpec, policySpec } from './policyShapes.ts'

/** Kind of the objects whose writes are authorized. */
export interface ParamRightsOf {
  kind: string
  /** All validation errors of an object; only valid objects are authorized. */
  errors: (object: ApiObject) => FieldError[]
  access: PlaneAccess
}

type AuthorizeWrite = NonNullable<Strategy['authorizeWrite']>

/**
 * Requires authors of a policy to have the right to read all its parameters, since expressions can
 * reveal them.
 * Source: kube-apiserver, registry of ValidatingAdmissionPolicy, authz; seen on 1.37.2.
 */
export function policyParamRights({ kind, errors, access }: ParamRightsOf): AuthorizeWrite {
  return async (next, old, context) => {
    const { paramKind } = policySpec(next)
    if (paramKind === undefined || errors(next).length > 0) return
    if (old !== undefined && isDeepStrictEqual(policySpec(old).paramKind, paramKind)) return
    const plane = access.of(context)
    const { resource } = resourceOf(paramKind, plane)
    const wanted = { ...resource, verb: 'get', namespace: '*', name: '*' }
    if (await mayRead(plane, wanted, context)) return
    const { kind: of = '', apiVersion = '' } = paramKind
    const why = `user ${goUser(context.user)} must have "get" permission on all objects of the referenced paramKind (kind=${of}, apiVersion=${apiVersion})`
    throw refused(kind, next, forbiddenField('spec.paramKind', why))
  }
}

/**
 * Requires authors of a binding to have the right to read the parameters that it names. Source: as
 * for policies.
 */
export function bindingParamRights({ kind, errors, access }: ParamRightsOf): AuthorizeWrite {
  const policies = kind.replace(/Binding$/, '')
  return async (next, old, context) => {
    const { paramRef, policyName = '' } = bindingSpec(next)
    if (paramRef === undefined || errors(next).length > 0) return
    const before = old && bindingSpec(old)
    if (before?.policyName === policyName && isDeepStrictEqual(before.paramRef, paramRef)) return
    const plane = access.of(context)
    const found = boundResource(plane, { policies, policyName })
    const { name = '', namespace = '' } = paramRef
    const verb = name === '' ? 'list' : 'get'
    if (await mayRead(plane, { ...found.resource, verb, namespace, name }, context)) return
    const user = goUser(context.user)
    throw refused(
      kind,
      next,
      forbiddenField('spec.paramRef', reasonOf(kind, found, { user, verb })),
    )
  }
}

interface FoundResource {
  resource: { group: string; version: string; resource: string }
  /** Unknown part; if set, the right to read everything is required. */
  unknown?: string
}

const everything = { group: '*', version: '*', resource: '*' }

function boundResource(
  plane: PlaneAccess,
  { policies, policyName }: { policies: string; policyName: string },
): FoundResource {
  const resource = admissionPlural(policies)
  const store = plane.store({ group: admissionGroup, resource })
  const target = { namespace: '', name: policyName }
  if (!store.holds(target)) return { resource: everything, unknown: `get policy ${policyName}` }
  const { object: policy } = store.newest(target)
  const { paramKind } = policySpec(policy)
  return paramKind === undefined ? { resource: everything } : resourceOf(paramKind, plane)
}

/** Resource of a kind; an unknown part is `*`. */
function resourceOf({ apiVersion = '', kind = '' }: ParamKind, plane: PlaneAccess): FoundResource {
  const [version = '', group = ''] = apiVersion.split('/').reverse()
  const isNamed = (one: { group: string; version: string; kind: string }) =>
    one.group === group && one.version === version && one.kind === kind
  const found = plane.resources().all().find(isNamed)
  if (found !== undefined) return { resource: { group, version, resource: found.plural } }
  const unknown = `resolve paramKind &{${apiVersion} ${kind}}`
  return { resource: { group, version, resource: '*' }, unknown }
}

async function mayRead(
  plane: PlaneAccess,
  wanted: {
    group: string
    version: string
    resource: string
    verb: string
    namespace: string
    name: string
  },
  { user }: RequestContext,
): Promise<boolean> {
  const rest = { isResource: true, subresource: '', path: '' }
  const decision: AuthorizationDecision = await plane.authorize({ user, ...wanted, ...rest })
  // Permission to list only some of the objects is not permission to read all of them.
  return decision.allowed && decision.shows === undefined && decision.view === undefined
}

function reasonOf(
  kind: string,
  { unknown }: FoundResource,
  { user, verb }: { user: string; verb: string },
): string {
  if (unknown !== undefined) {
    return `unable to ${unknown} to determine minimum required permissions and user ${user} does not have "${verb}" permission for all groups, versions and resources`
  }
  // kube-apiserver swaps the two for bindings of mutating policies.
  const [who, what] = kind.startsWith('Mutating') ? [verb, user] : [user, verb]
  return `user ${who} does not have "${what}" permission on the object referenced by paramRef`
}

function refused(kind: string, { metadata: { name = '' } }: ApiObject, error: FieldError) {
  return invalid({ group: admissionGroup, kind }, name, [error])
}

/** User in the format in which Go prints a pointer to a struct. */
function goUser({ name, uid, groups, extra }: UserInfo): string {
  const values = Object.keys(extra)
    .sort()
    .map((key) => `${key}:[${extra[key]?.join(' ') ?? ''}]`)
  return `&{${name} ${uid} [${groups.join(' ')}] map[${values.join(' ')}]}`
}
