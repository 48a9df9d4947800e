import { mediaTypeOf } from '../../encoding/contentType.ts'
import { decodeJson } from '../../encoding/json.ts'
import { invalidField } from '../../meta/fieldErrors.ts'
import { badRequest, invalid, unsupportedMediaType } from '../../meta/statusErrors.ts'
import type { Schema } from '../../meta/schema.ts'
import type { ApiObject } from '../../meta/types.ts'
import { applyJsonPatch } from '../../patch/jsonPatch.ts'
import { applyStrategicMergePatch } from '../../patch/strategicMergePatch.ts'
import { objectSchema } from '../../registry/canonicalForm.ts'
import { applyMergePatch } from '../../patch/mergePatch.ts'
import {
  jsonPatchType,
  mergePatchType,
  patchTypesOf,
  strategicMergePatchType,
} from '../../registry/resource.ts'
import { bodyObject } from '../bodyObject.ts'
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
  const patch = decodePatch(await readBody(request))
  const options = writeOptions(exchange, 'PatchOptions')
  const transform = (old: ApiObject): ApiObject => {
    const result = patcher(old, patch, objectSchema(resource.schema))
    const { object, problems } = bodyObject(result, [], resource)
    reportPatchProblems(problems, options.fieldValidation, { exchange, result })
    checkName(object, info.name)
    return object
  }
  const update =
    subresource === undefined ? { transform } : { transform, strategy: subresource.strategy }
  const written = await store.update(target, update, registryContext(exchange, options.dryRun))
  await writeObject(exchange, resource, { bytes: written.bytes, code: 200 })
}

function decodePatch(body: Buffer): unknown {
  try {
    return decodeJson(body).value
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
  const detail = `strict decoding error: ${problems.join(', ')}`
  throw invalid({ group: '', kind: '' }, '', [
    invalidField('patch', JSON.stringify(result), detail),
  ])
}
