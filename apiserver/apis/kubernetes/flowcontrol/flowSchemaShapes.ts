import type { ApiObject } from '../../../meta/types.ts'
import type {
  FlowSchemaSpec,
  NonResourcePolicyRule,
  ResourcePolicyRule,
  Subject,
} from '../shapes/flowcontrolV1.ts'

export function flowSchemaSpec(object: ApiObject): FlowSchemaSpec {
  // Guaranteed by the schema; the store gives every object a spec.
  return object['spec'] ?? {}
}

/** Spec as error messages show it: all fields, with the names of the internal type. */
export function shownFlowSchema(spec: FlowSchemaSpec): unknown {
  const { priorityLevelConfiguration, matchingPrecedence = 0, distinguisherMethod, rules } = spec
  return {
    PriorityLevelConfiguration: { Name: priorityLevelConfiguration?.name ?? '' },
    MatchingPrecedence: matchingPrecedence,
    DistinguisherMethod: distinguisherMethod ? { Type: distinguisherMethod.type ?? '' } : null,
    Rules:
      rules?.map((rule) => ({
        Subjects: rule.subjects?.map(shownSubject) ?? null,
        ResourceRules: rule.resourceRules?.map(shownResourceRule) ?? null,
        NonResourceRules: rule.nonResourceRules?.map(shownPathRule) ?? null,
      })) ?? null,
  }
}

function shownSubject({ kind = '', user, group, serviceAccount }: Subject): unknown {
  return {
    Kind: kind,
    User: user ? { Name: user.name ?? '' } : null,
    Group: group ? { Name: group.name ?? '' } : null,
    ServiceAccount: serviceAccount
      ? { Namespace: serviceAccount.namespace ?? '', Name: serviceAccount.name ?? '' }
      : null,
  }
}

function shownResourceRule(rule: ResourcePolicyRule): unknown {
  return {
    Verbs: rule.verbs ?? null,
    APIGroups: rule.apiGroups ?? null,
    Resources: rule.resources ?? null,
    ClusterScope: rule.clusterScope ?? false,
    Namespaces: rule.namespaces ?? null,
  }
}

function shownPathRule({ verbs, nonResourceURLs }: NonResourcePolicyRule): unknown {
  return { Verbs: verbs ?? null, NonResourceURLs: nonResourceURLs ?? null }
}
