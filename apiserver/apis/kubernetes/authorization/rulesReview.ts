import { aggregateText } from '../../../meta/fieldErrors.ts'
import type { HeldRules } from '../../../authorization/planeAuthorizer.ts'
import { badRequest } from '../../../meta/statusErrors.ts'
import type { UserInfo } from '../../../meta/types.ts'
import type { Answers } from '../../../registry/answers.ts'
import type { RequestContext } from '../../../registry/strategy.ts'

/** The rights of a user as rules. */
export type RulesFor = (
  user: UserInfo,
  namespace: string,
  context: RequestContext,
) => Promise<HeldRules>

/** Lists the rights of the caller in a namespace: `kubectl auth can-i --list`. Source: reference 7.9. */
export function rulesReviewAnswers(rulesFor: RulesFor): Answers {
  return {
    create: async ({ kind, apiVersion, spec }, request) => {
      // Guaranteed by the schema.
      const { namespace = '' } = (spec as { namespace?: string } | undefined) ?? {}
      if (namespace === '') throw badRequest('no namespace on request')
      const status = statusOf(await rulesFor(request.user, namespace, request))
      // The real server responds with a new object that contains nothing from the request.
      return { kind, apiVersion, metadata: {}, spec: {}, status }
    },
  }
}

function statusOf({ rules, problems, isIncomplete }: HeldRules) {
  const isPath = ({ nonResourceURLs = [] }: HeldRules['rules'][number]) =>
    nonResourceURLs.length > 0
  return {
    resourceRules: rules
      .filter((rule) => !isPath(rule))
      .map(({ verbs, apiGroups, resources, resourceNames }) => ({
        verbs,
        ...(apiGroups === undefined ? {} : { apiGroups }),
        ...(resources === undefined ? {} : { resources }),
        ...(resourceNames === undefined ? {} : { resourceNames }),
      })),
    nonResourceRules: rules
      .filter(isPath)
      .map(({ verbs, nonResourceURLs }) => ({ verbs, nonResourceURLs })),
    // A missing role is only a problem of its binding. Source: seen on kube-apiserver 1.37.2.
    incomplete: isIncomplete,
    ...(problems.length === 0 ? {} : { evaluationError: aggregateText(problems) }),
  }
}
