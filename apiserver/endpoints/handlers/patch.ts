import { mediaTypeOf } from '../../encoding/contentType.ts'
import { decodeJson, type Decoded } from '../../encoding/json.ts'
import { invalidField } from '../../meta/fieldErrors.ts'
import { badRequest, invalid, unsupportedMediaType } from '../../meta/statusErrors.ts'
import type { Schema } from '../../meta/schema.ts'
import { goQuote } from '../../meta/goQuote.ts'
import { StatusError } from '../../meta/status.ts'
import type { ApiObject } from '../../meta/types.ts'
import { applyJsonPatch } from '../../patch/jsonPatch.ts'
import { jsonPatchStrictErrors } from '../../patch/jsonPatchOperations.ts'
import { applyStrategicMergePatch } from '../../patch/strategicMergePatch.ts'
import { objectSchema } from '../../registry/canonicalForm.ts'
import { applyMergePatch } from '../../patch/mergePatch.ts'
import {
  jsonPatchType,
  mergePatchType,
  patchTypesOf,
  strategicMergePatchType,
  type ResourceDefinition,
} from '../../registry/resource.ts'
import { bodyObject, type BodyObject } from '../bodyObject.ts'
import { registryContext, type Exchange } from '../exchange.ts'
import { checkObjectFormat, writeObject } from '../objectAnswer.ts'
import { readBody } from '../readBody.ts'
import type { Target } from '../target.ts'
import { writeOptions, type FieldValidation } from '../writeOptions.ts'
import { checkName } from './update.ts'

/** What each kind of patch makes of an object. Neither argument is changed. */
const patchers: Readonly<
  Record<string, (old: ApiObject, patch: unknown, schema: Schema) => unknown>
> = {
  [jsonPatchType]: applyJsonPatch,
  [mergePatchType]: applyMergePatch,
  [strategicMergePatchType]: applyStrategicMergePatch,
}

/** Changes the newest state of an object, again if another writer was first: only a resourceVersion in the patch can
 *  conflict. Source: reference 3.9. */
export async function handlePatch(
  exchange: Exchange,
  { resource, store, object: target, subresource }: Target,
): Promise<void> {
  const { info, request } = exchange
  const supported = patchTypesOf(resource)
  const mediaType = mediaTypeOf(request.headers['content-type'], supported)
  const patcher = mediaType === undefined ? undefined : patchers[mediaType]
  if (patcher === undefined || request.headers['content-type'] === undefined) {
    throw unsupportedMediaType(supported)
  }
  checkObjectFormat(exchange)
  const { value: patch, duplicates } = decodePatch(await readBody(request))
  const options = writeOptions(exchange, 'PatchOptions')
  const patchProblems =
    mediaType === jsonPatchType
      ? jsonPatchStrictErrors(patch, duplicates)
      : duplicates.map((path) => `duplicate field ${goQuote(path)}`)
  const transform = (old: ApiObject): ApiObject => {
    const result = patcher(old, patch, objectSchema(resource.schema))
    const { object, problems } = patched(result, resource)
    reportPatchProblems([...patchProblems, ...problems], options.fieldValidation, {
      exchange,
      result,
    })
    checkName(object, info.name)
    return object
  }
  const update =
    subresource === undefined ? { transform } : { transform, strategy: subresource.strategy }
  const written = await store.update(target, update, registryContext(exchange, options.dryRun))
  await writeObject(exchange, resource, { bytes: written.bytes, code: 200 })
}

/** @throws StatusError Invalid where the result of a patch is no object of the kind. Source: reference 3.9. */
function patched(result: unknown, resource: ResourceDefinition): BodyObject {
  try {
    return bodyObject(result, [], resource)
  } catch (error) {
    if (!(error instanceof StatusError)) throw error
    throw invalidPatch(result, error.message)
  }
}

function decodePatch(body: Buffer): Decoded {
  try {
    return decodeJson(body)
  } catch (error) {
    throw badRequest('invalid JSON patch', error)
  }
}

/** A patch whose result has unknown fields is not refused like a body is: it is a 422 on the field `patch`.
 *  Source: reference 1.13. */
function reportPatchProblems(
  problems: readonly string[],
  validation: FieldValidation,
  { exchange, result }: { exchange: Exchange; result: unknown },
): void {
  if (problems.length === 0 || validation === 'Ignore') return
  if (validation === 'Warn') {
    for (const text of problems) exchange.warnings.add(text)
    return
  }
  throw invalidPatch(result, `strict decoding error: ${problems.join(', ')}`)
}

function invalidPatch(result: unknown, why: string): StatusError {
  return invalid({ group: '', kind: '' }, '', [invalidField('patch', JSON.stringify(result), why)])
}
