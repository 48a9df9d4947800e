import { messageOf } from '../../meta/messageOf.ts'
import { inTurns } from '../reviewTurns.ts'
import { requestVariables } from '../requestVariables.ts'
import type { AuthorizerValue } from '../authorizerValue.ts'
import type { AdmissionExpressions } from '../../cel/admissionExpressions.ts'
import type { Random } from '../../meta/clock.ts'
import { forbidden } from '../../meta/statusErrors.ts'
import type { ApiObject } from '../../meta/types.ts'
import type { AdmissionRequest } from '../../registry/admission.ts'
import { groupResource, type ResourceDefinition } from '../../registry/resource.ts'
import { formOf } from '../../registry/objectForm.ts'
import { convertedObject, inOrder } from '../../registry/versions/convertedObject.ts'
import { whenConverted } from '../../registry/versions/remoteConversion.ts'
import { namespaceMatches, objectMatches, type NamespaceLookup } from '../selectors.ts'
import { reviewBody, type VersionedRequest } from './admissionReview.ts'
import type { MatchedWebhook } from './registeredWebhooks.ts'
import { addressOf, type ServiceObjects } from '../../webhooks/webhookAddress.ts'
import type { WebhookClient } from '../../webhooks/webhookClient.ts'
import { callFailed, WebhookCallError } from './webhookRefusals.ts'
import { readVerdict, type Verdict } from './webhookResponse.ts'

export interface WebhookCallerOptions {
  client: WebhookClient
  cel: AdmissionExpressions
  random: Random
  namespace: NamespaceLookup
  services: ServiceObjects
  authorizerOf: (request: AdmissionRequest) => AuthorizerValue
}

/** Calls webhooks about requests that match their selectors and conditions. */
export class WebhookCaller {
  readonly #options: WebhookCallerOptions

  constructor(options: WebhookCallerOptions) {
    this.#options = options
  }

  /** Reports whether a webhook is called. @throws StatusError if its conditions fail and its failure policy is Fail. */
  async concerns(hook: MatchedWebhook, request: AdmissionRequest): Promise<boolean> {
    const { webhook, conditions } = hook
    const { namespaceSelector = {}, objectSelector = {} } = webhook
    if (!objectMatches(objectSelector, request)) return false
    if (!namespaceMatches(namespaceSelector, request, this.#options.namespace)) return false
    if (conditions.isEmpty) return true
    const { namespace, authorizerOf } = this.#options
    const shown = await whenConverted(() => versioned(hook, request))
    const variables = () => requestVariables(shown, namespace, authorizerOf(request))
    const { matches, error } = await inTurns(conditions.steps(variables), request)
    if (error === undefined || webhook.failurePolicy === 'Ignore') return matches
    throw forbidden(groupResource(request.resource), request.name, error)
  }

  /** Sends a request to a webhook. @throws WebhookCallError. */
  async ask(hook: MatchedWebhook, request: AdmissionRequest, mutating: boolean): Promise<Verdict> {
    const { webhook, ca } = hook
    const { random, services, client } = this.#options
    const { timeoutSeconds = 10, clientConfig = {}, admissionReviewVersions } = webhook
    const version =
      admissionReviewVersions?.find((one) => one === 'v1' || one === 'v1beta1') ?? 'v1'
    if (ca !== undefined && !ca.includes('-----BEGIN CERTIFICATE-----')) {
      const why = 'unable to load root certificates: unable to parse bytes as PEM block'
      throw new WebhookCallError(`could not get REST client: ${why}`)
    }
    const uid = random.uuid()
    const shown = await whenConverted(() => versioned(hook, request))
    const body = reviewBody(shown, uid, version)
    const text = await client.post({
      address: await addressOf(clientConfig, timeoutSeconds, services),
      ca,
      body,
      timeoutMs: timeoutSeconds * 1000,
      signal: request.review.signal?.(),
    })
    return readVerdict(text, { uid, version, mutating })
  }
}

/** Request in the version named in the webhook's rule. @throws PendingConversion. */
export function versioned(
  { resource }: Pick<MatchedWebhook, 'resource'>,
  request: AdmissionRequest,
): VersionedRequest {
  const { object, oldObject } = request
  // A subresource with its own kind has that kind in all versions of its parent.
  const isOwn = resource === request.resource || request.kind !== request.resource
  const [from, kind] = isOwn ? [request.kind, request.kind] : [request.resource, resource]
  return {
    request,
    resource,
    kind,
    object: object && shownObject(object, from, kind),
    oldObject: oldObject && inVersion(oldObject, from, kind),
  }
}

/**
 * Object of a request as webhooks receive it: without the empty maps and lists of its body, which
 * only validation sees before it is stored. Source: seen on kube-apiserver 1.37.2.
 */
export function shownObject(
  object: ApiObject,
  from: ResourceDefinition,
  to: ResourceDefinition,
): ApiObject {
  const shown = inVersion(object, from, to)
  // The options of a connection have no metadata.
  const hasMetadata = (shown as Partial<ApiObject>).metadata !== undefined
  if (!formOf(to).isDecoded || !hasMetadata) return shown
  const { managedFields, ...metadata } = shown.metadata
  const tidy = inOrder({ ...shown, metadata }, to)
  if (managedFields !== undefined) tidy.metadata.managedFields = managedFields
  return tidy
}

export function inVersion(
  object: ApiObject,
  from: ResourceDefinition,
  to: ResourceDefinition,
): ApiObject {
  return from === to ? object : convertedObject(structuredClone(object), from, to)
}

/** Error for a call, as a type that failure policies handle. */
export function asCallError(error: unknown): WebhookCallError {
  if (error instanceof WebhookCallError) return error
  return callFailed(messageOf(error), error)
}
