import { badRequest, invalid, routeMethodNotAllowed } from '../../meta/statusErrors.ts'
import type { ApiObject } from '../../meta/types.ts'
import { matchNamespace } from '../../registry/metadataSteps.ts'
import { applyMergePatch } from '../../patch/mergePatch.ts'
import type { AnswerRequest, Answers, ParentManagement } from '../../registry/answers.ts'
import { objectSchema } from '../../registry/canonicalForm.ts'
import { madePage, selectMade } from '../../registry/madePage.ts'
import { madeBytes } from '../../registry/objectBytes.ts'
import { applyPatchType, patchTypesOf, type ResourceDefinition } from '../../registry/resource.ts'
import { schemaValidatorOf } from '../../registry/schemaValidator.ts'
import type { ObjectName } from '../../registry/storeTypes.ts'
import { withCreator } from '../answeredFields.ts'
import { bodyObject, reportFieldProblems, type BodyObject } from '../bodyObject.ts'
import { decodeReceived, receiveBody } from '../decodeBody.ts'
import { decodePatch } from '../decodePatch.ts'
import { nextTurn, registryContext, type Exchange } from '../exchange.ts'
import { fieldManagement, type ManagedTarget } from '../fieldManagement.ts'
import { listQuery } from '../listQuery.ts'
import { checkObjectFormat, outputOf, writeObject } from '../objectAnswer.ts'
import { patchedObject } from '../patchedObject.ts'
import { patchers } from '../patchers.ts'
import { patchType } from '../patchType.ts'
import { readBody } from '../readBody.ts'
import { writeNothing, writeValue } from '../response.ts'
import { writeOptions, type WriteOptions } from '../writeOptions.ts'
import { readConfig } from './apply.ts'
import { listFormat, writeList } from './list.ts'
import { checkName } from './update.ts'

/** What a request is about that no store stands behind. */
export interface AnsweredTarget {
  /** The kind of the bodies. */
  resource: ResourceDefinition
  answers: Answers
  /** For a subresource its parent. */
  object: ObjectName
  verb: string
  /** Of a subresource. */
  parent?: { resource: ResourceDefinition; subresource: { name: string } }
}

/** Hands a request to the kind's own answers. Decoding, validation and the form of the answer are those of every kind. */
export async function handleAnswered(exchange: Exchange, target: AnsweredTarget): Promise<void> {
  if (target.verb === 'list') return list(exchange, target)
  checkObjectFormat(exchange)
  const object = await answer(exchange, target)
  if (object === undefined) return writeNothing(exchange)
  const code = target.verb === 'create' ? 201 : 200
  // A request that makes nothing is answered with a Status, which is no object of the kind.
  if (object.kind !== target.resource.kind) {
    return writeValue(exchange, object, { code, format: outputOf(exchange) })
  }
  await writeObject(exchange, target.resource, { bytes: madeBytes(object), code })
}

async function list(exchange: Exchange, target: AnsweredTarget): Promise<void> {
  const format = listFormat(exchange)
  const options = listQuery(exchange)
  const { answers, resource } = target
  if (answers.list === undefined) throw routeMethodNotAllowed()
  const objects = await answers.list(answerRequest(exchange, target))
  await writeList(exchange, resource, madePage(selectMade(objects, options, resource)), format)
}

async function answer(exchange: Exchange, target: AnsweredTarget): Promise<ApiObject | undefined> {
  const { answers, verb, resource } = target
  if (answers.connect !== undefined) {
    if (exchange.query.has('dryRun')) throw badRequest('dryRun is not supported')
    return answers.connect(answerRequest(exchange, target))
  }
  if (verb === 'get' && answers.get !== undefined) {
    return answers.get(answerRequest(exchange, target))
  }
  if (verb === 'create' && answers.create !== undefined) {
    const options = writeOptions(exchange, 'CreateOptions')
    const object = await sentObject(exchange, resource, options)
    const created = withCreator(object, target, options, exchange.startedMs)
    return answers.create(created, answerRequest(exchange, target, options))
  }
  if (verb === 'update' && answers.update !== undefined) {
    const options = writeOptions(exchange, 'UpdateOptions')
    const object = await sentObject(exchange, resource, options)
    matchNamespace(object.metadata, target.object.namespace)
    checkName(object, target.object.name)
    return answers.update(object, answerRequest(exchange, target, options))
  }
  if (verb === 'patch') return patch(exchange, target)
  throw routeMethodNotAllowed()
}

async function patch(exchange: Exchange, target: AnsweredTarget): Promise<ApiObject> {
  const { resource, answers } = target
  if (answers.get === undefined || answers.update === undefined) throw routeMethodNotAllowed()
  const supported = patchTypesOf(resource).filter(
    (type) => type !== applyPatchType || answers.apply !== undefined,
  )
  const mediaType = patchType(exchange, supported)
  if (mediaType === applyPatchType) return apply(exchange, target)
  const patcher = patchers[mediaType] ?? applyMergePatch
  const options = writeOptions(exchange, 'PatchOptions')
  const bytes = await readBody(exchange)
  const { value } = decodePatch({ body: bytes, mediaType, resource })
  exchange.audit?.requestObject(value, bytes.length)
  const request = answerRequest(exchange, target, options)
  const result = patcher(
    await (answers.current ?? answers.get)(request),
    value,
    objectSchema(resource.schema),
  )
  const patched = patchedObject({ result, mediaType }, resource, exchange.plane.resources)
  const object = await checked(exchange, patched, resource, options)
  checkName(object, target.object.name)
  return answers.update(object, request)
}

async function apply(exchange: Exchange, target: AnsweredTarget): Promise<ApiObject> {
  const body = await readBody(exchange)
  const options = writeOptions(exchange, 'PatchOptions', true)
  const config = await readConfig(body, exchange, options)
  // Only kinds that take it come here.
  if (target.answers.apply === undefined) throw routeMethodNotAllowed()
  if ((config.metadata.name ?? '') !== '') checkName(config, exchange.info.name)
  return target.answers.apply(config, answerRequest(exchange, target, options))
}

async function sentObject(
  exchange: Exchange,
  resource: ResourceDefinition,
  options: WriteOptions,
): Promise<ApiObject> {
  const received = await receiveBody(exchange)
  const { value, duplicates } = await decodeReceived(exchange, received, resource.kind)
  await nextTurn(exchange, received.body.length)
  const origin = { resources: exchange.plane.resources, bytes: received.body }
  return checked(exchange, bodyObject(value, duplicates, resource, origin), resource, options)
}

async function checked(
  exchange: Exchange,
  { object, problems }: BodyObject,
  resource: ResourceDefinition,
  { fieldValidation }: WriteOptions,
): Promise<ApiObject> {
  reportFieldProblems(problems, fieldValidation, exchange, resource)
  const check = await schemaValidatorOf(resource).load()
  const errors = check(object)
  if (errors.length > 0) throw invalid(resource, object.metadata.name ?? '', errors)
  return object
}

function answerRequest(
  exchange: Exchange,
  { object, parent }: AnsweredTarget,
  options?: WriteOptions,
): AnswerRequest {
  const { query, audit, plane } = exchange
  const annotate = (key: string, value: string) => audit?.annotate(key, value)
  const request = { ...registryContext(exchange, options?.dryRun), ...object, query, annotate }
  if (parent === undefined || options === undefined) return request
  return {
    ...request,
    parent: parentManagement(plane, parent, options),
    managementOf: (kind, name, fieldManager) => {
      const resource = plane.resources.get(kind, kind.plural)
      if (resource === undefined) throw new Error(`${kind.plural} of ${kind.group} is not served`)
      const through = { resource, subresource: { name } }
      return parentManagement(plane, through, { ...options, fieldManager })
    },
  }
}

function parentManagement(
  plane: Exchange['plane'],
  parent: NonNullable<AnsweredTarget['parent']>,
  options: WriteOptions,
): ParentManagement {
  const store = plane.storeOf(parent.resource)
  const through = (paths: ManagedTarget['only'] & object) => {
    const only = paths.length === 0 ? {} : { only: paths }
    return fieldManagement({ ...parent, store, ...only }, options, plane.resources)
  }
  return {
    updated: (old, next, only) => through(only).updated(old, next),
    applied: (old, config, only) => through(only).applied(old, config),
  }
}
