import type { AnswerTransform } from '../../registry/answers.ts'
import { applyMergePatch } from '../../patch/mergePatch.ts'
import { matchNamespace } from '../../registry/write/metadataSteps.ts'
import { objectSchema } from '../../registry/schema/canonicalForm.ts'
import { decodePatch } from '../body/decodePatch.ts'
import type { Exchange } from '../exchange.ts'
import { noteSent } from '../body/sentBody.ts'
import { patchedObject } from '../write/patchedObject.ts'
import { patchers } from '../write/patchers.ts'
import { readBody } from '../body/readBody.ts'
import type { WriteOptions } from '../write/writeOptions.ts'
import { checkedObject } from './answerBodies.ts'
import type { AnsweredTarget } from './handleRequest.ts'
import { checkName } from './update.ts'

/** Applies the patch in the request body to an object. @throws StatusError. */
export async function readPatch(
  exchange: Exchange,
  { resource, object }: AnsweredTarget,
  mediaType: string,
  options: WriteOptions,
): Promise<AnswerTransform> {
  const patcher = patchers[mediaType] ?? applyMergePatch
  const bytes = await readBody(exchange)
  const { value, unreadable } = decodePatch({ body: bytes, mediaType, resource })
  if (unreadable !== undefined) throw unreadable
  noteSent(exchange, value, bytes.length)
  return async (old) => {
    const result = patcher(old, value, objectSchema(resource.schema))
    const patched = patchedObject({ result, mediaType, patch: value }, resource, exchange.plane)
    const next = await checkedObject(exchange, patched, resource, options)
    matchNamespace(next.metadata, object.namespace)
    checkName(next, object.name)
    return next
  }
}
