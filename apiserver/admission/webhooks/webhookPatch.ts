import { goJsonType } from '../../meta/json/goJsonType.ts'
import { goQuote } from '../../meta/goQuote.ts'
import { messageOf } from '../../meta/messageOf.ts'
import { StatusError } from '../../meta/status.ts'
import { internalError } from '../../meta/statusErrors.ts'
import type { ApiObject } from '../../meta/types.ts'
import { applyJsonPatch } from '../../patch/jsonPatch.ts'
import { canonicalForm, objectSchema } from '../../registry/schema/canonicalForm.ts'
import type { AdmissionRequest } from '../../registry/admission.ts'
import { isObject } from '../../meta/json/isObject.ts'
import type { ResourceSet } from '../../registry/resourceSet.ts'
import { patchWords } from '../patchWords.ts'
import type { TypeProblem } from '../policies/mutations.ts'
import { otherKindProblem } from '../policies/otherKind.ts'
import { inVersion, shownObject } from './webhookCaller.ts'
import { WebhookCallError } from './webhookRefusals.ts'
import { weighedJson } from '../../webhooks/weighedJson.ts'
import type { MatchedWebhook } from './registeredWebhooks.ts'

/** Maximum weight of a patch, as computed by `jsonShape`: it may replace every value of an object. */
const mostWeight = 200_000

/** Kinds and types for decoding the result of a patch. */
export interface PatchReading {
  resources: () => ResourceSet
  typeProblem: TypeProblem
}

/**
 * Object after the JSON patch of a webhook, without unknown fields and with defaults set.
 * @throws StatusError InternalError.
 */
export function patchedByWebhook(
  { webhook, resource }: MatchedWebhook,
  request: AdmissionRequest,
  { operations, resources, typeProblem }: PatchReading & { operations: unknown[] },
): ApiObject {
  if (request.object === undefined) {
    const name = goQuote(webhook.name ?? '')
    const why = `admission webhook ${name} attempted to modify the object, which is not supported for this operation`
    throw internalError(why)
  }
  const { kind } = request
  const version = kind === request.resource ? resource : kind
  const seen = shownObject(request.object, kind, version)
  const patched = applied(seen, operations)
  if (!isObject(patched)) throw internalError("the result of the webhook's patch is not an object")
  const problem =
    otherKindProblem(patched, seen, resources()) ?? typeProblem(patched, version, 'json')
  if (problem !== undefined) throw internalError(problem)
  // canonicalForm returns an object for an object.
  const { metadata = {}, ...value } = canonicalForm(patched, objectSchema(version.schema))
    .value as Partial<ApiObject>
  const { kind: name, apiVersion } = seen
  const typed = { ...value, kind: name, apiVersion, metadata }
  const object = inVersion(typed, version, kind)
  kind.strategy.setDefaults?.(object)
  return object
}

/** Steps of a patch; undefined: no change. @throws WebhookCallError. */
export function patchOperations(text: string): unknown[] | undefined {
  const undecodable = (why: string) =>
    new WebhookCallError(`received undecodable patch in webhook response: ${why}`)
  let value: unknown
  try {
    value = weighedJson(text, mostWeight)
  } catch (error) {
    throw undecodable(messageOf(error))
  }
  if (value === null) return undefined
  if (Array.isArray(value)) return value.length === 0 ? undefined : steps(value)
  const type = typeof value === 'boolean' ? 'bool' : typeof value
  throw undecodable(`json: cannot unmarshal ${type} into Go value of type jsonpatch.Patch`)
}

/** Steps as objects. @throws WebhookCallError for any other item. */
function steps(list: unknown[]): unknown[] {
  const odd = list.find((step) => step !== null && !isObject(step))
  if (odd === undefined) return list
  const type = 'jsonpatch.Operation'
  const why = `json: cannot unmarshal ${goJsonType(odd)} into Go value of type ${type}`
  throw new WebhookCallError(`received undecodable patch in webhook response: ${why}`)
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
