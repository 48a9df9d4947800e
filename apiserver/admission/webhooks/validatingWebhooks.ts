import type { AdmissionRequest, AdmissionTarget } from '../../registry/admission.ts'
import type { AdmissionPlugin } from '../admissionPlugin.ts'
import { isReviewed } from '../exemptKinds.ts'
import type { MatchedWebhook, RegisteredWebhooks } from './registeredWebhooks.ts'
import { asCallError, type WebhookCaller } from './webhookCaller.ts'
import { callRefusal, denial } from './webhookRefusals.ts'

/**
 * Calls all validating webhooks of a request concurrently, and reports the first refusal in their order. Source:
 * Kubernetes, "Dynamic Admission Control".
 */
export function validatingWebhooks(
  webhooks: RegisteredWebhooks,
  caller: WebhookCaller,
): AdmissionPlugin {
  return {
    name: 'ValidatingAdmissionWebhook',
    get generation() {
      return webhooks.generation
    },
    handles: (target) => isReviewed(target) && webhooks.matching(target).length > 0,
    validate: async (request) => {
      const asked: MatchedWebhook[] = []
      for (const hook of webhooks.matching(targetOf(request))) {
        if (await caller.concerns(hook, request)) asked.push(hook)
      }
      const results = await Promise.allSettled(asked.map((hook) => ask(hook, request, caller)))
      for (const result of results) if (result.status === 'rejected') throw result.reason
    },
  }
}

export function targetOf({
  operation,
  resource,
  subresource,
  kind,
}: AdmissionRequest): AdmissionTarget {
  return { operation, resource, subresource, kind }
}

async function ask(
  hook: MatchedWebhook,
  request: AdmissionRequest,
  caller: WebhookCaller,
): Promise<void> {
  const { webhook, index } = hook
  const { name = '' } = webhook
  const { context, review } = request
  const verdict = await caller.ask(hook, request, false).catch((thrown: unknown) => {
    const error = asCallError(thrown)
    if (webhook.failurePolicy !== 'Ignore') throw callRefusal(name, error)
    const key = `failed-open.validating.webhook.admission.k8s.io/round_0_index_${index}`
    review.annotate(key, name)
    return undefined
  })
  if (verdict === undefined) return
  for (const [key, value] of Object.entries(verdict.auditAnnotations)) {
    review.annotate(`${name}/${key}`, value)
  }
  for (const text of verdict.warnings) if (text !== '') context.warn(text)
  if (!verdict.allowed) throw denial(name, verdict.status)
}
