import { goQuote } from '../../meta/goQuote.ts'
import { badRequest } from '../../meta/statusErrors.ts'
import type { ApiObject, UserInfo } from '../../meta/types.ts'
import type { Answers } from '../../registry/answers.ts'
import type { ResourceDefinition } from '../../registry/resource.ts'
import type { RequestContext } from '../../registry/strategy.ts'
import { reviewKind } from '../reviewKind.ts'
import { flag, mapOf, secretText, struct, text, textList } from '../schema.ts'

/** Who a token stands for; undefined: nobody. */
export type AuthenticateToken = (
  token: string,
  context: RequestContext,
) => UserInfo | undefined | Promise<UserInfo | undefined>

export interface TokenReviewOptions {
  authenticate: AuthenticateToken
  /** Whom tokens of this server are for. */
  audiences: readonly string[]
}

export interface AuthenticationResources {
  tokenReviews: ResourceDefinition
  selfReviews: ResourceDefinition
}

const group = 'authentication.k8s.io'
const nameOf = (type: string) => `io.k8s.api.authentication.v1.${type}`

/** The kinds of authentication.k8s.io/v1. Source: Kubernetes API reference; reference 7.9. */
export function authenticationResources(options: TokenReviewOptions): AuthenticationResources {
  const tokens = struct(
    { spec: tokenSpec, status: tokenStatus },
    'TokenReview asks whom a token stands for.',
    { definition: nameOf('TokenReview'), required: ['spec'] },
  )
  const self = struct(
    { status: selfStatus },
    'SelfSubjectReview asks who the one who asks is, as the server sees it.',
    { definition: nameOf('SelfSubjectReview') },
  )
  return {
    tokenReviews: reviewKind({
      group,
      kind: 'TokenReview',
      schema: tokens,
      answers: tokenAnswers(options),
    }),
    selfReviews: reviewKind({
      group,
      kind: 'SelfSubjectReview',
      schema: self,
      answers: selfAnswers,
    }),
  }
}

const userInfo = struct(
  {
    username: text('Name of the user.'),
    uid: text('What tells this user from one of the same name at another time.'),
    groups: textList('Groups of the user.'),
    extra: mapOf(
      { type: 'array', items: { type: 'string' } },
      'What else authentication said of the user.',
    ),
  },
  'Who someone is.',
  { definition: nameOf('UserInfo'), omitEmpty: true },
)

const tokenSpec = struct(
  {
    token: secretText('The token.'),
    audiences: textList('Whom the token should be for; none means this server.'),
  },
  'The token that is asked about.',
  { definition: nameOf('TokenReviewSpec') },
)

const tokenStatus = struct(
  {
    authenticated: flag('Whether the token stands for anybody.'),
    user: userInfo,
    audiences: textList('Those of the asked audiences that the token is for.'),
    error: text('Why the token could not be looked at.'),
  },
  'The answer.',
  { definition: nameOf('TokenReviewStatus') },
)

const selfStatus = struct({ userInfo }, 'The answer.', {
  definition: nameOf('SelfSubjectReviewStatus'),
})

const selfAnswers: Answers = {
  create: ({ kind, apiVersion, metadata }, { user }) => {
    return { kind, apiVersion, metadata, status: { userInfo: shownUser(user) } }
  },
}

function tokenAnswers(options: TokenReviewOptions): Answers {
  return {
    create: async (object, request) => {
      const { kind, apiVersion, metadata } = object
      const spec = tokenSpecOf(object)
      const { token = '', audiences = [] } = spec
      const found = { authenticate: (one: string) => options.authenticate(one, request) }
      if (token === '') throw badRequest('token is required for TokenReview in authentication')
      return {
        kind,
        apiVersion,
        metadata,
        spec,
        status: await statusOf(token, audiences, { ...options, ...found }),
      }
    },
  }
}

function tokenSpecOf(object: ApiObject) {
  // The schema says that the spec is such an object.
  return (object['spec'] as { token?: string; audiences?: string[] } | undefined) ?? {}
}

async function statusOf(
  token: string,
  wanted: readonly string[],
  { authenticate, audiences: own }: Pick<TokenReviewOptions, 'audiences'> & Authenticating,
) {
  const user = await authenticate(token)
  if (user === undefined) return {}
  const shared = wanted.filter((audience) => own.includes(audience))
  if (wanted.length > 0 && shared.length === 0) {
    const error = `token audiences ${quoted(own)} is invalid for the target audiences ${quoted(wanted)}`
    return { error }
  }
  const audiences = wanted.length === 0 ? {} : { audiences: shared }
  return { authenticated: true, user: shownUser(user), ...audiences }
}

interface Authenticating {
  authenticate: (token: string) => UserInfo | undefined | Promise<UserInfo | undefined>
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
