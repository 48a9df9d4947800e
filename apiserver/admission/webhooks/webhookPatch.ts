import { goQuote } from '../../meta/goQuote.ts'
import { StatusError } from '../../meta/status.ts'
import { internalError } from '../../meta/statusErrors.ts'
import type { ApiObject } from '../../meta/types.ts'
import { applyJsonPatch } from '../../patch/jsonPatch.ts'
import { canonicalForm, objectSchema } from '../../registry/schema/canonicalForm.ts'
import type { AdmissionRequest } from '../../registry/admission.ts'
import { isObject } from '../../meta/json/isObject.ts'
import { inVersion } from './webhookCaller.ts'
import type { MatchedWebhook } from './registeredWebhooks.ts'

/** The object after the JSON patch of a webhook, with unknown fields dropped and defaults set; undefined: the patch does
 *  nothing. @throws StatusError InternalError. */
export function patchedByWebhook(
  { webhook, resource }: MatchedWebhook,
  request: AdmissionRequest,
  patch: string,
): ApiObject | undefined {
  const operations = readPatch(patch)
  if (operations === undefined) return undefined
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
  const object = inVersion(value as ApiObject, version, kind) // it is an object with metadata
  kind.strategy.setDefaults?.(object)
  return object
}

function readPatch(text: string): unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (value === null || (Array.isArray(value) && value.length === 0)) return undefined
    if (Array.isArray(value)) return value as unknown[]
    throw new Error('json: cannot unmarshal object into Go value of type jsonpatch.Patch')
  } catch (error) {
    throw internalError(error instanceof Error ? error.message : String(error), error)
  }
}

function applied(object: ApiObject, operations: unknown[]): unknown {
  try {
    return applyJsonPatch(object, operations)
  } catch (error) {
    if (!(error instanceof StatusError)) throw error
    const why = error.cause instanceof Error ? error.cause.message : error.message
    throw internalError(why, error)
  }
}
