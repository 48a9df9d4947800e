import type { ApiObject } from '../../../meta/types.ts'
import type { MutatingWebhook } from '../shapes/admissionregistrationV1.ts'

export interface WebhookConfiguration extends ApiObject {
  webhooks?: MutatingWebhook[]
}

export function webhooksOf(object: ApiObject): MutatingWebhook[] {
  // Guaranteed by the schema of both kinds.
  return (object as WebhookConfiguration).webhooks ?? []
}
