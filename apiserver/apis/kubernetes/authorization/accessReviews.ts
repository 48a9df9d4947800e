import type {
  AuthorizationAttributes,
  AuthorizationDecision,
} from '../../../authorization/authorizer.ts'
import { withScopeOfExtra } from '../../../authentication/scopeExtra.ts'
import type { FieldError } from '../../../meta/fieldErrors.ts'
import { messageOf } from '../../../meta/messageOf.ts'
import type { NamesProfile } from '../../../meta/names/namesProfile.ts'
import { badRequest, invalid } from '../../../meta/statusErrors.ts'
import type { ApiObject, UserInfo } from '../../../meta/types.ts'
import { matchNamespace } from '../../../registry/write/metadataSteps.ts'
import type { AnswerRequest, Answers } from '../../../registry/answers.ts'
import type { RequestContext } from '../../../registry/strategy.ts'
import type { SubjectAccessReviewSpec } from '../shapes/authorizationV1.ts'
import {
  localReviewErrors,
  reviewSpecOf,
  selfReviewErrors,
  subjectReviewErrors,
} from './reviewRules.ts'
import { selectorProblem } from './reviewSelectors.ts'

/** The authorizer of the plane that the reviews belong to. */
export type Decide = (
  request: AuthorizationAttributes,
  context: RequestContext,
) => AuthorizationDecision | Promise<AuthorizationDecision>

/**
 * Answers whether the caller may do something, with the same decision as for the request itself, including the scope of
 * the caller's credential. Source: reference 7.9.
 */
export function selfReviewAnswers(decide: Decide): Answers {
  return answers(decide, selfReviewErrors, (_spec, { user }) => user)
}

/** Answers whether a user with these groups may do something. */
export function subjectReviewAnswers(decide: Decide, names: NamesProfile): Answers {
  return answers(decideInFull(decide), subjectReviewErrors, subjectOf(names))
}

/** Answers whether a user may do something in one namespace. */
export function localReviewAnswers(decide: Decide, names: NamesProfile): Answers {
  const { create } = answers(decideInFull(decide), localReviewErrors, subjectOf(names))
  return {
    create: (object, request) => {
      matchNamespace(object.metadata, request.namespace)
      return create(object, request)
    },
  }
}

/**
 * Requires the full right. The caller may be a server that filters lists by the decision, and a
 * right to some objects does not allow all of them.
 */
function decideInFull(decide: Decide): Decide {
  return async (request, context) => {
    const decision = await decide(request, context)
    if (decision.shows === undefined) return decision
    return { allowed: false, reason: 'a list shows the objects alone that the user may get' }
  }
}

function answers(
  decide: Decide,
  errors: (object: ApiObject) => FieldError[],
  subject: (spec: SubjectAccessReviewSpec, request: AnswerRequest) => UserInfo,
): Required<Pick<Answers, 'create'>> {
  return {
    create: async (object, request) => {
      const found = errors(object)
      const { kind, apiVersion, metadata } = object
      // The real server does not name a kind here.
      if (found.length > 0) throw invalid({ group: groupOf(apiVersion), kind: '' }, '', found)
      const spec = reviewSpecOf(object)
      const { allowed, reason } = await decide(attributesOf(spec, subject(spec, request)), request)
      const problem = selectorProblems(spec)
      const status = {
        allowed,
        ...(reason === '' ? {} : { reason }),
        ...(problem === '' ? {} : { evaluationError: problem }),
      }
      return { kind, apiVersion, metadata, spec, status }
    },
  }
}

function selectorProblems({ resourceAttributes }: SubjectAccessReviewSpec): string {
  return (['fieldSelector', 'labelSelector'] as const)
    .map((field) => selectorProblem(field, resourceAttributes?.[field] ?? {}))
    .filter((problem) => problem !== '')
    .join('; ')
}

function groupOf(apiVersion: string): string {
  return apiVersion.split('/')[0] ?? ''
}

/** User of a review, restricted by the extra values that the token review returned. */
function subjectOf(names: NamesProfile) {
  return ({ user = '', uid = '', groups = [], extra = {} }: SubjectAccessReviewSpec): UserInfo => {
    try {
      return withScopeOfExtra({ name: user, uid, groups, extra }, names)
    } catch (error) {
      throw badRequest(messageOf(error), error)
    }
  }
}

/** Attributes of the request as in the filter chain. */
function attributesOf(spec: SubjectAccessReviewSpec, user: UserInfo): AuthorizationAttributes {
  const { resourceAttributes: asked, nonResourceAttributes: { path = '', verb = '' } = {} } = spec
  const nothing = { ...emptyAttributes, user }
  if (asked === undefined) return { ...nothing, isResource: false, verb, path }
  const { fieldSelector, labelSelector, ...attributes } = asked
  return { ...nothing, ...attributes, isResource: true }
}

const emptyAttributes = {
  verb: '',
  group: '',
  version: '',
  resource: '',
  subresource: '',
  namespace: '',
  name: '',
  path: '',
}
