import type { AnswerTransform } from '../../registry/answers.ts'
import { applyMergePatch } from '../../patch/mergePatch.ts'
import { objectSchema } from '../../registry/canonicalForm.ts'
import { decodePatch } from '../decodePatch.ts'
import type { Exchange } from '../exchange.ts'
import { noteSent } from '../sentBody.ts'
import { patchedObject } from '../patchedObject.ts'
import { patchers } from '../patchers.ts'
import { readBody } from '../readBody.ts'
import type { WriteOptions } from '../writeOptions.ts'
import { checkedObject } from './answerBodies.ts'
import type { AnsweredTarget } from './answerRequest.ts'
import { checkName } from './update.ts'

/** What the patch in the request's body makes of an object. @throws StatusError. */
export async function readPatch(
  exchange: Exchange,
  { resource, object }: AnsweredTarget,
  mediaType: string,
  options: WriteOptions,
): Promise<AnswerTransform> {
  const patcher = patchers[mediaType] ?? applyMergePatch
  const bytes = await readBody(exchange)
  const { value } = decodePatch({ body: bytes, mediaType, resource })
  noteSent(exchange, value, bytes.length)
  return async (old) => {
    const result = patcher(old, value, objectSchema(resource.schema))
    const patched = patchedObject({ result, mediaType }, resource, exchange.plane.resources)
    const next = await checkedObject(exchange, patched, resource, options)
    checkName(next, object.name)
    return next
  }
}
