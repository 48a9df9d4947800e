import { matchNamespace } from '../../registry/write/metadataSteps.ts'
import type { Decoded } from '../../encoding/json.ts'
import { goQuote } from '../../meta/goQuote.ts'
import type { StatusError } from '../../meta/status.ts'
import { runSteps, type Steps } from '../../meta/waiting/steps.ts'
import type { ApiObject } from '../../meta/types.ts'
import { jsonPatchStrictErrors } from '../../patch/jsonPatchOperations.ts'
import { objectSchema } from '../../registry/schema/canonicalForm.ts'
import { applyMergePatch } from '../../patch/mergePatch.ts'
import {
  applyPatchType,
  jsonPatchType,
  patchTypesOf,
  type ResourceDefinition,
} from '../../registry/resource.ts'
import { nextTurn, type Exchange } from '../exchange.ts'
import { noteSent } from '../body/sentBody.ts'
import { fieldManagement } from '../write/fieldManagement.ts'
import { decodePatch } from '../body/decodePatch.ts'
import { checkObjectFormat } from '../response/objectResponse.ts'
import {
  inLibraryOrder,
  invalidPatch,
  patchedObject,
  type PatchResult,
} from '../write/patchedObject.ts'
import { patchers } from '../write/patchers.ts'
import { patchType } from '../body/patchType.ts'
import { writeUpdated } from '../write/writeUpdated.ts'
import { readBody } from '../body/readBody.ts'
import type { Target } from '../target.ts'
import { writeOptions, type FieldValidation, type WriteOptions } from '../write/writeOptions.ts'
import { handleApply } from './apply.ts'
import { checkName, requireName } from './update.ts'

/**
 * Patches the newest state of an object, and retries if another writer was first: only a
 * resourceVersion in the patch can conflict. Source: reference 3.9.
 */
export async function handlePatch(exchange: Exchange, target: Target): Promise<void> {
  const mediaType = patchType(exchange, patchTypesOf(target.resource))
  requireName(exchange.info)
  checkObjectFormat(exchange, target.resource)
  if (mediaType === applyPatchType) return handleApply(exchange, target)
  const bytes = await readBody(exchange)
  const options = writeOptions(exchange, 'PatchOptions')
  const patch = readPatch(exchange, target, { mediaType, body: bytes })
  const patched = transformation(exchange, target, patch, options)
  const transform = (old: ApiObject, size: number) =>
    runSteps(patched(old), () => nextTurn(exchange, Math.max(size, bytes.length)))
  await writeUpdated(exchange, target, { transform }, options)
}

interface ReadPatch {
  mediaType: string
  value: unknown
  /** Problems of the patch itself, as messages for clients. */
  problems: string[]
  /** The reason why the patch is unreadable, reported only if the object exists. */
  unreadable: StatusError | undefined
}

function readPatch(
  exchange: Exchange,
  { resource }: Target,
  { mediaType, body: bytes }: { mediaType: string; body: Buffer },
): ReadPatch {
  const body = decodePatch({ body: bytes, mediaType, resource })
  const { value, unreadable } = body
  noteSent(exchange, value, bytes.length)
  const problems = unreadable === undefined ? patchProblems(mediaType, body) : []
  return { mediaType, value, problems, unreadable }
}

function patchProblems(mediaType: string, { value, duplicates }: Decoded): string[] {
  if (mediaType === jsonPatchType) return jsonPatchStrictErrors(value, duplicates)
  return duplicates.map((path) => `duplicate field ${goQuote(path)}`)
}

function transformation(
  exchange: Exchange,
  target: Target,
  { mediaType, value, problems, unreadable }: ReadPatch,
  options: WriteOptions,
): (old: ApiObject) => Steps<ApiObject> {
  const { resource } = target
  const { resources } = exchange.plane
  const management = fieldManagement(target, options, resources)
  const patcher = patchers[mediaType] ?? applyMergePatch
  return function* (old) {
    if (unreadable !== undefined) throw unreadable
    const result = patcher(old, value, objectSchema(resource.schema))
    yield
    const patched = { result, mediaType, patch: value }
    const report = (found: readonly string[]) =>
      reportPatchProblems(found, options.fieldValidation, { exchange, patched, resource })
    const origin = { resources, isWritten: true, report }
    const { object, problems: found, sent } = patchedObject(patched, resource, origin)
    report([...problems, ...found])
    matchNamespace(object.metadata, target.object.namespace)
    checkName(object, exchange.info.name)
    yield
    return yield* management.updatedInSteps(old, object, sent)
  }
}

/**
 * Reports unknown fields of a patch's result: unlike for a body, the error is a 422 on the field `patch`.
 * Source: reference 1.13.
 */
function reportPatchProblems(
  problems: readonly string[],
  validation: FieldValidation,
  {
    exchange,
    patched,
    resource,
  }: { exchange: Exchange; patched: PatchResult; resource: ResourceDefinition },
): void {
  if (problems.length === 0 || validation === 'Ignore') return
  if (validation === 'Warn') {
    for (const text of problems) exchange.warnings.add(text)
    return
  }
  const result = inLibraryOrder(patched, resource)
  throw invalidPatch(result, `strict decoding error: ${problems.join(', ')}`, resource)
}
