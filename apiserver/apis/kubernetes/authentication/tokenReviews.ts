import type { ServiceAccountTokens } from '../../../authentication/tokens/serviceAccountTokens.ts'
import { withScopeShown } from '../../../authentication/scopeExtra.ts'
import { formatTime } from '../../../meta/clock.ts'
import { goQuote } from '../../../meta/goQuote.ts'
import type { NamesProfile } from '../../../meta/names/namesProfile.ts'
import { badRequest } from '../../../meta/statusErrors.ts'
import type { ApiObject, UserInfo } from '../../../meta/types.ts'
import type { Answers } from '../../../registry/answers.ts'
import type { ResourceDefinition } from '../../../registry/resource.ts'
import type { RequestContext } from '../../../registry/strategy.ts'
import { reviewKind } from '../../reviewKind.ts'
import { secret } from '../../schema.ts'
import { kindSchema } from '../builtInKind.ts'
import type { BuiltInTypes } from '../builtInTypes.ts'
import type { TokenReviewSpec } from '../shapes/authenticationV1.ts'
import { withField } from '../withField.ts'

/** User of a token; undefined: the token is invalid. */
export type AuthenticateToken = (
  token: string,
  context: RequestContext,
) => UserInfo | undefined | Promise<UserInfo | undefined>

export interface TokenReviewOptions {
  names: NamesProfile
  types: BuiltInTypes
  authenticate: AuthenticateToken
  /** Tokens of the plane's service accounts, which have their own audiences. */
  tokens: (context: RequestContext) => ServiceAccountTokens
}

export interface AuthenticationResources {
  tokenReviews: ResourceDefinition
  selfReviews: ResourceDefinition
}

const group = 'authentication.k8s.io'
const version = 'v1'

/** The kinds of authentication.k8s.io/v1. Source: Kubernetes API reference; reference 7.9. */
export function authenticationResources(options: TokenReviewOptions): AuthenticationResources {
  const schemaOf = (kind: string, description: string) =>
    kindSchema(options.types, { group, version, kind }, description)
  const tokens = schemaOf('TokenReview', 'TokenReview asks which user a token authenticates.')
  return {
    tokenReviews: reviewKind({
      group,
      kind: 'TokenReview',
      schema: withField(tokens, ['spec', 'token'], secret),
      answers: tokenAnswers(options),
    }),
    selfReviews: reviewKind({
      group,
      kind: 'SelfSubjectReview',
      schema: schemaOf('SelfSubjectReview', 'SelfSubjectReview shows the user of the request.'),
      answers: selfAnswers(options),
    }),
  }
}

/**
 * Responds with a new object that contains nothing from the request. Source: Kubernetes API,
 * SelfSubjectReview.
 */
function selfAnswers({ tokens }: TokenReviewOptions): Answers {
  return {
    create: ({ kind, apiVersion }, request) => {
      const metadata = { creationTimestamp: formatTime(tokens(request).now()) }
      return { kind, apiVersion, metadata, status: { userInfo: shownUser(request.user) } }
    },
  }
}

function tokenAnswers(options: TokenReviewOptions): Answers {
  return {
    create: async (object, request) => {
      const { kind, apiVersion, metadata } = object
      const spec = tokenSpecOf(object)
      if ((spec.token ?? '') === '') {
        throw badRequest('token is required for TokenReview in authentication')
      }
      const status = { ...sentStatusOf(object), ...(await statusOf(spec, options, request)) }
      return { kind, apiVersion, metadata, spec, status }
    },
  }
}

interface TokenStatus {
  user?: object
  audiences?: string[]
  error?: string
}

function tokenSpecOf(object: ApiObject): TokenReviewSpec {
  // Guaranteed by the schema.
  return (object['spec'] as TokenReviewSpec | undefined) ?? {}
}

/**
 * Part of the sent status that the response repeats by default.
 * Source: seen on kube-apiserver 1.37.2.
 */
function sentStatusOf(object: ApiObject): Pick<TokenStatus, 'user' | 'audiences' | 'error'> {
  // Guaranteed by the schema.
  const { user = {}, audiences, error } = (object['status'] as TokenStatus | undefined) ?? {}
  return {
    user,
    ...(audiences === undefined ? {} : { audiences }),
    ...(error === undefined ? {} : { error }),
  }
}

/** Status of a review. Default audiences: those of the API. Source: reference 7.9. */
async function statusOf(
  { token = '', audiences = [] }: TokenReviewSpec,
  options: TokenReviewOptions,
  request: RequestContext,
) {
  const tokens = options.tokens(request)
  const own = tokens.audiences()
  const wanted = audiences.length === 0 ? own : audiences
  const verdict = await tokens.review(token, wanted)
  if (verdict !== undefined && 'error' in verdict) {
    return { error: `[invalid bearer token, ${verdict.error}]` }
  }
  const user = verdict?.user ?? (await options.authenticate(token, request))
  if (user === undefined) return { error: 'invalid bearer token' }
  const shared = verdict?.audiences ?? wanted.filter((audience) => own.includes(audience))
  if (shared.length > 0) {
    // The caller bases its decisions on this status, so it includes the restrictions of the
    // credential.
    const shown = shownUser(withScopeShown(user, options.names))
    return { authenticated: true, user: shown, audiences: shared }
  }
  const error = `token audiences ${quoted(own)} is invalid for the target audiences ${quoted(wanted)}`
  return { error }
}

function quoted(texts: readonly string[]): string {
  return `[${texts.map(goQuote).join(' ')}]`
}

function shownUser({ name, uid, groups, extra }: UserInfo) {
  return {
    username: name,
    ...(uid === '' ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  }
}
