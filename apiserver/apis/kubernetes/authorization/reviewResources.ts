import type { Authorizer } from '../../../authorization/authorizer.ts'
import type { PlaneAuthorizer } from '../../../authorization/planeAuthorizer.ts'
import { managementGroup, type NamesProfile } from '../../../meta/names/namesProfile.ts'
import type { Schema } from '../../../meta/schema.ts'
import type { Answers } from '../../../registry/answers.ts'
import type { ResourceDefinition } from '../../../registry/resource.ts'
import type { RequestContext } from '../../../registry/strategy.ts'
import { reviewKind } from '../../reviewKind.ts'
import { definitionName, struct } from '../../schema.ts'
import {
  localReviewAnswers,
  selfReviewAnswers,
  subjectReviewAnswers,
  type Decide,
} from './accessReviews.ts'
import { reviewShapes, type NameOf } from './reviewShapes.ts'
import { rulesReviewAnswers, type RulesFor } from './rulesReview.ts'

export interface Decisions extends Pick<PlaneAuthorizer, 'rulesFor'> {
  authorize: Authorizer
}

/** Decisions of a request's plane. */
export type DecisionsOf = (context: RequestContext) => Decisions

export interface AuthorizationResources {
  accessReviews: ResourceDefinition
  selfAccessReviews: ResourceDefinition
  localAccessReviews: ResourceDefinition
  selfRulesReviews: ResourceDefinition
}

const apiGroup = 'authorization.k8s.io'
const builtInName: NameOf = (type) => `io.k8s.api.authorization.v1.${type}`

/** The kinds of authorization.k8s.io/v1. */
export function authorizationResources(
  names: NamesProfile,
  decisions: DecisionsOf,
): AuthorizationResources {
  const { authorize, rulesFor } = bound(decisions)
  const shapes = reviewShapes(builtInName)
  const review = reviewMaker(apiGroup, builtInName)
  return {
    accessReviews: review('SubjectAccessReview', subjectReviewAnswers(authorize, names), {
      what: 'SubjectAccessReview asks whether a user or group may do something.',
      spec: shapes.subjectSpec,
      status: shapes.status,
    }),
    selfAccessReviews: review('SelfSubjectAccessReview', selfReviewAnswers(authorize), {
      what: 'SelfSubjectAccessReview asks whether the one who asks may do something.',
      spec: shapes.selfSpec,
      status: shapes.status,
    }),
    localAccessReviews: {
      ...review('LocalSubjectAccessReview', localReviewAnswers(authorize, names), {
        what: 'LocalSubjectAccessReview asks whether a user or group may do something in one namespace.',
        spec: shapes.subjectSpec,
        status: shapes.status,
      }),
      namespaced: true,
    },
    selfRulesReviews: review('SelfSubjectRulesReview', rulesReviewAnswers(rulesFor), {
      what: 'SelfSubjectRulesReview asks what the one who asks may do in a namespace.',
      spec: shapes.rulesSpec,
      status: shapes.rulesStatus,
    }),
  }
}

/** Reviews of the management group, with the same structure. Source: platform facts 3.3. */
export function managementReviews(
  names: NamesProfile,
  decisions: DecisionsOf,
): { managementAccessReviews: ResourceDefinition; managementSelfReviews: ResourceDefinition } {
  const { authorize } = bound(decisions)
  const group = managementGroup(names)
  const nameOf: NameOf = (type) => definitionName(group, 'v1', type)
  const shapes = reviewShapes(nameOf)
  const review = reviewMaker(group, nameOf)
  return {
    managementAccessReviews: review('SubjectAccessReview', subjectReviewAnswers(authorize, names), {
      what: 'SubjectAccessReview asks whether a user or group may do something on the platform.',
      spec: shapes.subjectSpec,
      status: shapes.status,
    }),
    managementSelfReviews: review('SelfSubjectAccessReview', selfReviewAnswers(authorize), {
      what: 'SelfSubjectAccessReview asks whether the one who asks may do something on the platform.',
      spec: shapes.selfSpec,
      status: shapes.status,
    }),
  }
}

function bound(decisionsOf: DecisionsOf): { authorize: Decide; rulesFor: RulesFor } {
  return {
    authorize: (request, context) => decisionsOf(context).authorize(request),
    rulesFor: (user, namespace, context) => decisionsOf(context).rulesFor(user, namespace),
  }
}

interface ReviewParts {
  what: string
  spec: Schema
  status: Schema
}

function reviewMaker(group: string, nameOf: NameOf) {
  return (kind: string, answers: Answers, { what, spec, status }: ReviewParts) => {
    const given = { ...spec, zero: {} }
    const words = { definition: nameOf(kind), required: ['spec'] }
    const schema = struct({ spec: given, status: { ...status, zero: {} } }, what, words)
    return reviewKind({ group, kind, schema, answers })
  }
}
