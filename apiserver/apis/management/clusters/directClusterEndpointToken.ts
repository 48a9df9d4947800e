import {
  endpointAudience,
  holderKinds,
  type EndpointTokenHolder,
} from '../../../authentication/tokens/endpointToken.ts'
import { signJwt } from '../../../authentication/tokens/jwt.ts'
import { tokenGenerationOf } from '../../../authentication/accessKeys/tokenGeneration.ts'
import { derivedScope } from '../../../authorization/scope/derivedScope.ts'
import { scopeErrors } from '../../../authorization/scope/scopeErrors.ts'
import { isPrivileged } from '../../../authorization/privilegedGroup.ts'
import { forbiddenField, invalidField, type FieldError } from '../../../meta/fieldErrors.ts'
import { managementGroup } from '../../../meta/names/namesProfile.ts'
import { forbidden, invalid } from '../../../meta/statusErrors.ts'
import type { ApiObject, UserInfo } from '../../../meta/types.ts'
import type { AnswerRequest } from '../../../registry/answers.ts'
import type { ResourceDefinition } from '../../../registry/resource.ts'
import { integer, secretString, struct } from '../../schema.ts'
import { answeredKind, managementResource } from '../managementKind.ts'
import type { Platform } from '../platform.ts'
import { scopeSchema } from '../accessKeys/scope.ts'

const kind = 'DirectClusterEndpointToken'
const plural = 'directclusterendpointtokens'
const daySeconds = 24 * 60 * 60
/** Default lifetime, which command-line clients assume if they do not know the token's expiry. */
const defaultSeconds = daySeconds
/** Maximum lifetime, since tokens cannot be revoked individually. */
export const longestEndpointTokenSeconds = 30 * daySeconds

interface TokenSpec {
  ttl?: number
  scope?: Record<string, unknown>
}

/** A signed token for connecting directly to a connected cluster.
 *  Source: specification, "DirectClusterEndpointToken"; platform facts 1.5. */
export function directClusterEndpointTokenResource(platform: Platform): ResourceDefinition {
  const { names } = platform
  const fields = {
    spec: struct(
      {
        ttl: integer(
          `Time to live of the token, in seconds; 0: one day. At most ${longestEndpointTokenSeconds}.`,
        ),
        scope: scopeSchema(names),
      },
      'Desired state of the token.',
    ),
    status: struct({ token: secretString('The token, a signed JWT.') }, 'Result of the request.'),
  }
  const description = `${kind} is a token for connecting directly to a connected cluster.`
  return answeredKind({ names, kind, plural, description, fields }, ['create'], {
    create: (object, request) => answer(object, request, platform),
  })
}

async function answer(
  object: ApiObject,
  request: AnswerRequest,
  platform: Platform,
): Promise<ApiObject> {
  // Guaranteed by the schema.
  const spec = (object['spec'] ?? {}) as TokenSpec
  const holder = await holderOf(spec, request.user, platform)
  const errors = [...ttlErrors(spec), ...scopeErrors(spec.scope, 'spec.scope', platform.names)]
  if (errors.length > 0) throw refused(object, errors, platform)
  if ('refusal' in holder) {
    throw refused(object, [forbiddenField('spec.scope', holder.refusal)], platform)
  }
  const token = request.dryRun ? undefined : await signed(spec, holder, request.user, platform)
  return { ...object, spec: { ...spec }, status: token === undefined ? {} : { token } }
}

function refused({ metadata }: ApiObject, errors: readonly FieldError[], { names }: Platform) {
  return invalid({ group: managementGroup(names), kind }, metadata.name ?? '', errors)
}

function ttlErrors({ ttl = 0 }: TokenSpec): FieldError[] {
  if (ttl < 0) return [invalidField('spec.ttl', ttl, 'must be greater than or equal to 0')]
  if (ttl <= longestEndpointTokenSeconds) return []
  const why = `must be less than or equal to ${longestEndpointTokenSeconds}`
  return [invalidField('spec.ttl', ttl, why)]
}

function signed(
  { ttl }: TokenSpec,
  holder: EndpointTokenHolder,
  user: UserInfo,
  platform: Platform,
): Promise<string> {
  const { names, clock } = platform
  const iat = Math.floor(clock.now() / 1000)
  // A zero means that the client has no preference.
  const lifeSeconds = ttl === undefined || ttl === 0 ? defaultSeconds : ttl
  const claims = {
    iss: platform.url(),
    sub: user.name,
    aud: [endpointAudience(names)],
    iat,
    exp: iat + lifeSeconds,
    [names.domain]: holder,
  }
  return signJwt(claims, platform.tokenKeys)
}

/**
 * The holder of the token, and its scope.
 * @throws StatusError Forbidden for callers that are neither user nor team nor an administrator.
 */
async function holderOf(
  spec: TokenSpec,
  user: UserInfo,
  platform: Platform,
): Promise<EndpointTokenHolder | { refusal: string }> {
  const { names } = platform
  const derived = derivedScope(user, spec.scope, names)
  if ('refusal' in derived) return derived
  const scope = derived.scope === undefined ? {} : { scope: derived.scope }
  const kinds = holderKinds(names)
  const { credential } = user
  if (credential?.user !== undefined) {
    return { ...(await objectOf('users', credential.user, platform)), kind: kinds.user, ...scope }
  }
  if (credential?.team !== undefined) {
    return { ...(await objectOf('teams', credential.team, platform)), kind: kinds.team, ...scope }
  }
  if (isPrivileged(user)) {
    return { uid: user.uid, name: user.name, kind: kinds.admin, gen: 0, ...scope }
  }
  const why = 'tokens are for users and teams of the platform'
  throw forbidden(managementResource(names, plural), '', why)
}

async function objectOf(resource: 'users' | 'teams', name: string, platform: Platform) {
  const store = platform.access.store(managementResource(platform.names, resource))
  const object = await store.durable({ namespace: '', name })
  // Guaranteed by the schema of users; teams have none.
  const { tokenGeneration } = (object['spec'] ?? {}) as { tokenGeneration?: number | bigint }
  return { uid: object.metadata.uid ?? '', name, gen: tokenGenerationOf(tokenGeneration) }
}
