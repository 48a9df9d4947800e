import type { ApiObject } from '../../../meta/types.ts'
import type { WebhookClientConfig } from '../../../webhooks/webhookAddress.ts'
import type { SpecSelector } from '../labelSelection.ts'

/** Operations and resources that a webhook or a policy handles. */
export interface RuleWithOperations {
  operations?: string[]
  apiGroups?: string[]
  apiVersions?: string[]
  resources?: string[]
  scope?: string
}

/** Rule of a policy, which may also name objects. */
export interface NamedRule extends RuleWithOperations {
  resourceNames?: string[]
}

export interface MatchCondition {
  name?: string
  expression?: string
}

/** Webhook of a configuration of either kind; all policy fields are set after defaulting. */
export interface Webhook {
  name?: string
  clientConfig?: WebhookClientConfig
  rules?: RuleWithOperations[]
  failurePolicy?: string
  matchPolicy?: string
  namespaceSelector?: SpecSelector
  objectSelector?: SpecSelector
  sideEffects?: string
  timeoutSeconds?: number
  admissionReviewVersions?: string[]
  /** Set for mutating webhooks only. */
  reinvocationPolicy?: string
  matchConditions?: MatchCondition[]
}

export interface WebhookConfiguration extends ApiObject {
  webhooks?: Webhook[]
}

export function webhooksOf(object: ApiObject): Webhook[] {
  // Guaranteed by the schema of both kinds.
  return (object as WebhookConfiguration).webhooks ?? []
}
