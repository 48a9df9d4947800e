import { goQuote } from '../../meta/goQuote.ts'
import { StatusError } from '../../meta/status.ts'
import { internalError } from '../../meta/statusErrors.ts'
import type { ApiObject } from '../../meta/types.ts'
import { applyJsonPatch } from '../../patch/jsonPatch.ts'
import { canonicalForm, objectSchema } from '../../registry/schema/canonicalForm.ts'
import type { AdmissionRequest } from '../../registry/admission.ts'
import { isObject } from '../../meta/json/isObject.ts'
import { patchWords } from '../patchWords.ts'
import { inVersion } from './webhookCaller.ts'
import { WebhookCallError } from './webhookRefusals.ts'
import type { MatchedWebhook } from './registeredWebhooks.ts'

/** The object after the JSON patch of a webhook, with unknown fields dropped and defaults set.
 *  @throws StatusError InternalError. */
export function patchedByWebhook(
  { webhook, resource }: MatchedWebhook,
  request: AdmissionRequest,
  operations: unknown[],
): ApiObject {
  if (request.object === undefined) {
    const name = goQuote(webhook.name ?? '')
    const why = `admission webhook ${name} attempted to modify the object, which is not supported for this operation`
    throw internalError(why)
  }
  const { kind } = request
  const version = kind === request.resource ? resource : kind
  const seen = inVersion(request.object, kind, version)
  const patched = applied(seen, operations)
  const { value } = canonicalForm(patched, objectSchema(version.schema))
  if (!isObject(value) || !isObject(value['metadata'])) {
    throw internalError('the patch of the webhook leaves no object')
  }
  const { kind: name, apiVersion } = seen
  // It is an object with metadata; of another type it would be no object of the request.
  const typed = { ...(value as ApiObject), kind: name, apiVersion }
  const object = inVersion(typed, version, kind)
  kind.strategy.setDefaults?.(object)
  return object
}

/** The steps of a patch; undefined: it does nothing. @throws WebhookCallError. */
export function patchOperations(text: string): unknown[] | undefined {
  const undecodable = (why: string) =>
    new WebhookCallError(`received undecodable patch in webhook response: ${why}`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw undecodable('unexpected end of JSON input')
  }
  if (value === null) return undefined
  if (Array.isArray(value)) return value.length === 0 ? undefined : (value as unknown[])
  const type = typeof value === 'boolean' ? 'bool' : typeof value
  throw undecodable(`json: cannot unmarshal ${type} into Go value of type jsonpatch.Patch`)
}

function applied(object: ApiObject, operations: unknown[]): unknown {
  try {
    return applyJsonPatch(object, operations)
  } catch (error) {
    if (!(error instanceof StatusError)) throw error
    const why = error.cause instanceof Error ? error.cause.message : error.message
    throw internalError(patchWords(why, operations), error)
  }
}
