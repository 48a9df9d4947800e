import { decodeWholeYaml } from '../../encoding/yaml.ts'
import type { FieldError } from '../../meta/fieldErrors.ts'
import { messageOf } from '../../meta/messageOf.ts'
import { StatusError } from '../../meta/status.ts'
import { badRequest, conflict, invalid, plainError } from '../../meta/statusErrors.ts'
import { runSteps, type Steps } from '../../meta/waiting/steps.ts'
import type { ApiObject } from '../../meta/types.ts'
import { keepTimes } from '../../patch/apply/managers/keepTimes.ts'
import { groupResource, type ResourceDefinition } from '../../registry/resource.ts'
import { uncheckedRules } from '../../registry/schema/uncheckedRules.ts'
import { resetsStatus } from '../../registry/write/beforeCreate.ts'
import { matchNamespace } from '../../registry/write/metadataSteps.ts'
import { bodyObject } from '../body/bodyObject.ts'
import { maxWeightOf } from '../body/bodyWeight.ts'
import { nextTurn, type Exchange } from '../exchange.ts'
import { noteSent } from '../body/sentBody.ts'
import { fitMetadata, malformedManagers } from '../write/appliedMetadata.ts'
import { fieldManagement } from '../write/fieldManagement.ts'
import { unstructuredVoice } from '../body/goVoices.ts'
import { noMapText } from '../../patch/mergePatch.ts'
import { readBody } from '../body/readBody.ts'
import type { Target } from '../target.ts'
import { writeOptions, type WriteOptions } from '../write/writeOptions.ts'
import { writeUpdated } from '../write/writeUpdated.ts'
import { checkName } from './update.ts'

/**
 * Server-side apply: merges the manager's configuration into the object.
 * Source: reference 3.12, 3.13; Kubernetes, "Server-Side Apply".
 */
export async function handleApply(exchange: Exchange, target: Target): Promise<void> {
  const { resource, subresource } = target
  const body = await readBody(exchange)
  const options = writeOptions(exchange, 'PatchOptions', true)
  const config = await readConfig(body, exchange, options)
  const { resources } = exchange.plane
  const management = fieldManagement(target, options, resources)
  const turn = (size = 0) => nextTurn(exchange, Math.max(size, body.length))
  await turn()
  let found: readonly FieldError[] = []
  const nullsOf = writtenNulls(target)
  // Conflicts and wrong types are reported before a wrong name.
  const applied = function* (old: ApiObject | undefined): Steps<ApiObject> {
    const merged = yield* management.appliedInSteps(old, config)
    yield
    const reading = { voice: unstructuredVoice, ...refusals(config) }
    const origin = { resources, reading, isMerged: true, isWritten: true }
    const why = malformedManagers(config, resource)
    if (why !== undefined) throw reading.refuse(why)
    const malformed = fitMetadata(merged, old, resource)
    const { object, nulls = [] } = bodyObject(merged, [], resource, origin)
    matchNamespace(object.metadata, target.object.namespace)
    checkName(object, exchange.info.name)
    found = [...malformed, ...nullsOf(nulls)]
    if (old === undefined || subresource !== undefined) refuseFound(found, object, resource)
    return object
  }
  const transform = (old: ApiObject, size: number) => runSteps(applied(old), () => turn(size))
  // A configuration without changes is not written, however often it is applied.
  const settle = (next: ApiObject, old: ApiObject): ApiObject => keepTimes(old, next)
  const createMissing = () => {
    checkNew(config, target)
    return runSteps(applied(undefined), turn)
  }
  if (subresource !== undefined && subresource.strategy?.allowCreateOnUpdate !== true)
    return writeUpdated(exchange, target, { transform, settle }, options)
  const update = { transform, createMissing, settle, found: () => found }
  await writeUpdated(exchange, target, update, options)
}

/**
 * Selects the errors of nulls in the part that an endpoint writes; it resets the other. That of a status is relative to
 * it, and may be null itself. Source: seen on kube-apiserver 1.37.2.
 */
function writtenNulls({ resource, subresource }: Target) {
  const isIn = ({ field }: FieldError) => field.startsWith('status.')
  const below = (error: FieldError): FieldError => ({
    ...error,
    message: error.message.replace(
      `${error.field} in`,
      `${error.field.slice('status.'.length)} in`,
    ),
  })
  return (nulls: readonly FieldError[]): readonly FieldError[] => {
    if (subresource?.strategy?.resetsContent === true) return nulls.filter(isIn).map(below)
    if (!resetsStatus(resource)) return nulls
    return nulls.filter((error) => error.field !== 'status' && !isIn(error))
  }
}

/** Refuses nulls and malformed metadata if no other errors are reported with them. @throws StatusError Invalid. */
export function refuseFound(
  errors: readonly FieldError[],
  { metadata: { name = '' } }: ApiObject,
  resource: ResourceDefinition,
): void {
  if (errors.length === 0) return
  const hasNulls = errors.some(({ reason }) => reason === 'FieldValueTypeInvalid')
  const isUnchecked = hasNulls && resource.declared?.hasRules === true
  throw invalid(resource, name, isUnchecked ? [...errors, uncheckedRules] : errors)
}

/**
 * Errors for an applied object, each worded like the failing step. Source: seen on kube-apiserver
 * 1.37.2.
 */
function refusals({ metadata, apiVersion, kind }: ApiObject) {
  const groupVersion = apiVersion.includes('/') ? apiVersion : `/${apiVersion}`
  const type = `${groupVersion}, Kind=${kind}`
  // Names of a configuration may be null.
  const { namespace, name }: { namespace?: string | null; name?: string | null } = metadata
  const object = `(${namespace ?? ''}/${name ?? ''}; ${type})`
  return {
    refuse: (why: string) =>
      plainError(
        `failed to convert new object ${object} to proper version: unable to convert unstructured object to ${type}: ${why}`,
      ),
    unconverted: (why: string) => plainError(`failed to convert to unversioned ${object}: ${why}`),
  }
}

/** Reads a configuration. @throws StatusError BadRequest. */
export async function readConfig(
  body: Buffer,
  exchange: Exchange,
  options: WriteOptions,
): Promise<ApiObject> {
  const maxWeight = maxWeightOf(exchange.bodyKind)
  const pause = () => nextTurn(exchange, body.length)
  const read = decodeWholeYaml(body, { maxWeight, pause })
  const { value, duplicates } = await read.catch((error: unknown) => {
    if (error instanceof StatusError && error.code === 413) throw error
    const why = messageOf(error)
    throw badRequest(`error decoding patch: error converting YAML to JSON: ${why}`, error)
  })
  requireTyped(value)
  noteSent(exchange, value, body.length)
  if (options.fieldValidation === 'Strict' && duplicates.length > 0) {
    throw badRequest(`error strict decoding patch: ${duplicates.join(', ')}`)
  }
  if (options.fieldValidation === 'Warn') for (const text of duplicates) exchange.warnings.add(text)
  // The checks of apply find missing members, and members of another type.
  return {
    ...value,
    metadata: 'metadata' in value ? (value.metadata ?? {}) : {},
  } as ApiObject
}

/** Checks that a document is an object; an empty document is an object without a type. */
function requireTyped(value: unknown): asserts value is object {
  if (typeof value !== 'object' || Array.isArray(value)) {
    const why = `error unmarshaling JSON: while decoding JSON: ${noMapText(value)}`
    throw badRequest(`error decoding patch: ${why}`)
  }
  if (value === null || !('kind' in value || 'apiVersion' in value)) {
    throw badRequest('invalid object type: /, Kind=')
  }
}

function checkNew({ metadata }: ApiObject, { resource, object }: Target): void {
  // Another type is refused later.
  const { uid } = metadata as { uid?: unknown }
  if (typeof uid !== 'string' || uid === '') return
  const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`
  throw conflict(groupResource(resource), object.name, why)
}
