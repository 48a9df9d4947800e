import { webhooksOf } from '../../apis/kubernetes/admissionregistration/webhookShapes.ts'
import type {
  MutatingWebhook,
  RuleWithOperations,
} from '../../apis/kubernetes/shapes/admissionregistrationV1.ts'
import { webhookVariables, type AdmissionExpressions } from '../../cel/admissionExpressions.ts'
import type { ApiObject, GroupResource } from '../../meta/types.ts'
import type { AdmissionTarget } from '../../registry/admission.ts'
import type { ResourceDefinition } from '../../registry/resource.ts'
import type { ResourceSet } from '../../registry/resourceSet.ts'
import type { FollowedObjects } from '../followedObjects.ts'
import type { PlaneObjects } from '../planeObjects.ts'
import { MatchConditions } from '../matchConditions.ts'
import { matchingRule } from '../ruleMatch.ts'
import { TargetCache } from '../targetCache.ts'

/** Webhook of a configuration. */
export interface RegisteredWebhook {
  configuration: string
  webhook: MutatingWebhook
  /** PEM; undefined: the system's CAs. */
  ca: string | undefined
  conditions: MatchConditions
}

/** A webhook whose rules match a kind and operation. */
export interface MatchedWebhook extends RegisteredWebhook {
  /** Position among the webhooks that are called for such requests. */
  index: number
  /** Version of the resource that the webhook receives. */
  resource: ResourceDefinition
}

export interface RegisteredWebhooksOptions {
  objects: PlaneObjects
  /** Kind of the configurations. */
  resource: GroupResource
  resources: () => ResourceSet
  cel: AdmissionExpressions
}

/**
 * Webhooks of all configurations of one kind, sorted by configuration name, then in their given
 * order.
 */
export class RegisteredWebhooks {
  readonly #followed: FollowedObjects<RegisteredWebhook[]>
  readonly #resources: () => ResourceSet
  readonly #matched = new TargetCache<readonly MatchedWebhook[]>()

  constructor({ objects, resource, resources, cel }: RegisteredWebhooksOptions) {
    this.#followed = objects.follow(resource, (object) => registered(object, cel))
    this.#resources = resources
  }

  /** Incremented when configurations change, or custom kinds, whose versions rules can name. */
  get generation(): number {
    return this.#followed.generation + this.#resources().generation
  }

  /** Matching webhooks in call order. */
  matching(target: AdmissionTarget): readonly MatchedWebhook[] {
    if (this.#followed.all.length === 0) return []
    return this.#matched.get(target, this.generation, () => this.#find(target))
  }

  #find(target: AdmissionTarget): MatchedWebhook[] {
    const versions = this.#resources().all()
    const matched = this.#followed.all.flat().flatMap((one) => {
      const { rules = [], matchPolicy } = one.webhook
      const match = matchingRule<RuleWithOperations>(rules, target, matchPolicy, versions)
      return match === undefined ? [] : [{ ...one, resource: match.resource }]
    })
    return matched.map((one, index) => ({ ...one, index }))
  }
}

function registered(object: ApiObject, cel: AdmissionExpressions): RegisteredWebhook[] {
  const { name = '' } = object.metadata
  return webhooksOf(object).map((webhook) => {
    const ca = webhook.clientConfig?.caBundle ?? ''
    return {
      configuration: name,
      webhook,
      ca: ca === '' ? undefined : Buffer.from(ca, 'base64').toString(),
      conditions: new MatchConditions(webhook.matchConditions ?? [], cel, webhookVariables),
    }
  })
}
