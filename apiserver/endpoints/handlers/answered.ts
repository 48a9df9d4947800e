import { badRequest, routeMethodNotAllowed } from '../../meta/statusErrors.ts'
import type { ApiObject } from '../../meta/types.ts'
import type { AnswerRequest } from '../../registry/answers.ts'
import type { AdmissionOperation } from '../../registry/review.ts'
import { matchNamespace, wipeSystemMetadata } from '../../registry/write/metadataSteps.ts'
import { computedPage, selectComputed } from '../../registry/read/computedPage.ts'
import { computedBytes } from '../../registry/objectBytes.ts'
import { applyPatchType, patchTypesOf } from '../../registry/resource.ts'
import { admitAnswered, answerAdmission } from '../write/answeredReview.ts'
import { connectOptions } from '../write/connectOptions.ts'
import { withCreator } from '../write/answeredFields.ts'
import type { Exchange } from '../exchange.ts'
import { listQuery } from '../listQuery.ts'
import { checkObjectFormat, outputOf, writeObject } from '../response/objectResponse.ts'
import { patchType } from '../body/patchType.ts'
import { readBody } from '../body/readBody.ts'
import { writeNothing, writeValue } from '../response/response.ts'
import { writeOptions, type WriteOptions } from '../write/writeOptions.ts'
import { sentObject } from './answerBodies.ts'
import { dedupSentOwners } from '../write/sentOwners.ts'
import { readPatch } from './answerPatch.ts'
import { answerRequest, type AnsweredTarget } from './handleRequest.ts'
import { readConfig } from './apply.ts'
import { handleKept, keepsMetadata } from './keptAnswer.ts'
import { listFormat, writeList } from './list.ts'
import { checkName } from './update.ts'

/**
 * Passes a request to the kind's own handlers. Decoding, validation and the format of the response
 * are the same as for every kind.
 */
export async function handleAnswered(exchange: Exchange, target: AnsweredTarget): Promise<void> {
  if (target.verb === 'list') return list(exchange, target)
  checkObjectFormat(exchange, target.resource)
  const object = await answer(exchange, target)
  if (object === undefined) return writeNothing(exchange)
  const code = target.verb === 'create' ? 201 : 200
  // The response to a request that creates no object is a Status, which is not an object of the kind.
  if (object.kind !== target.resource.kind) {
    return writeValue(exchange, object, { code, format: outputOf(exchange) })
  }
  await writeObject(exchange, target.resource, { bytes: computedBytes(object), code })
}

async function list(exchange: Exchange, target: AnsweredTarget): Promise<void> {
  const { answers, resource } = target
  const format = listFormat(exchange, resource)
  const options = listQuery(exchange)
  if (answers.list === undefined) throw routeMethodNotAllowed()
  const objects = await answers.list(answerRequest(exchange, target))
  await writeList(
    exchange,
    resource,
    computedPage(selectComputed(objects, options, resource)),
    format,
  )
}

async function answer(exchange: Exchange, target: AnsweredTarget): Promise<ApiObject | undefined> {
  const { answers, verb, resource } = target
  if (answers.connect !== undefined) {
    if (exchange.query.has('dryRun')) throw badRequest('dryRun is not supported')
    const stream = target.parent?.subresource.stream
    await admitAnswered(exchange, target, {
      ...{ operation: 'CONNECT', dryRun: false },
      ...(stream === undefined
        ? {}
        : { object: connectOptions(resource, stream.parameters, exchange.query) }),
    })
    return answers.connect(answerRequest(exchange, target))
  }
  if (verb === 'get' && answers.get !== undefined) {
    return answers.get(answerRequest(exchange, target))
  }
  if (keepsMetadata(answers)) return handleKept(exchange, { ...target, answers })
  if (verb === 'create') return create(exchange, target)
  if (verb === 'update' && answers.update !== undefined) {
    const options = writeOptions(exchange, 'UpdateOptions')
    const object = await sentObject(exchange, resource, options)
    matchNamespace(object.metadata, target.object.namespace)
    checkName(object, target.object.name)
    dedupSentOwners(object, exchange)
    return update(exchange, { ...target, answers }, object, options)
  }
  if (verb === 'patch') return patch(exchange, target)
  throw routeMethodNotAllowed()
}

async function create(exchange: Exchange, target: AnsweredTarget): Promise<ApiObject | undefined> {
  const { answers, resource } = target
  if (answers.create === undefined) throw routeMethodNotAllowed()
  const options = writeOptions(exchange, 'CreateOptions')
  const object = await sentObject(exchange, resource, options)
  if (target.parent === undefined) {
    matchNamespace(object.metadata, target.object.namespace)
    wipeSystemMetadata(object.metadata)
    dedupSentOwners(object, exchange)
  } else if (target.object.namespace !== '') {
    // A body of a subresource may lack metadata.
    object.metadata = { namespace: target.object.namespace, ...object.metadata }
    dedupSentOwners(object, exchange)
  }
  const created = withCreator(object, target, options, exchange.startedMs)
  const { dryRun } = options
  if (answers.isReviewing === true)
    return answers.create(created, reviewedRequest(exchange, target, 'CREATE', options))
  const admitted = await admitAnswered(exchange, target, {
    operation: 'CREATE',
    dryRun,
    object: created,
  })
  return answers.create(admitted ?? created, answerRequest(exchange, target, options))
}

async function patch(exchange: Exchange, target: AnsweredTarget): Promise<ApiObject> {
  const { resource, answers } = target
  if (answers.get === undefined || answers.update === undefined) throw routeMethodNotAllowed()
  const supported = patchTypesOf(resource).filter(
    (type) => type !== applyPatchType || answers.apply !== undefined,
  )
  const mediaType = patchType(exchange, supported)
  if (mediaType === applyPatchType) return apply(exchange, target)
  const options = writeOptions(exchange, 'PatchOptions')
  const patched = await readPatch(exchange, target, mediaType, options)
  const request = answerRequest(exchange, target, options)
  const next = await patched(await (answers.current ?? answers.get)(request))
  return update(exchange, target, next, options)
}

async function update(
  exchange: Exchange,
  target: AnsweredTarget,
  object: ApiObject,
  options: WriteOptions,
): Promise<ApiObject> {
  const { answers } = target
  if (answers.update === undefined) throw routeMethodNotAllowed()
  if (answers.isReviewing === true)
    return answers.update(object, reviewedRequest(exchange, target, 'UPDATE', options))
  const request = answerRequest(exchange, target, options)
  const old = (answers.current ?? answers.get)?.bind(answers, request)
  const admitted = await admitAnswered(exchange, target, {
    operation: 'UPDATE',
    dryRun: options.dryRun,
    object,
    ...(old === undefined ? {} : { old }),
  })
  return answers.update(admitted ?? object, request)
}

async function apply(exchange: Exchange, target: AnsweredTarget): Promise<ApiObject> {
  const body = await readBody(exchange)
  const options = writeOptions(exchange, 'PatchOptions', true)
  const config = await readConfig(body, exchange, options)
  // Only kinds that support apply get here.
  if (target.answers.apply === undefined) throw routeMethodNotAllowed()
  if ((config.metadata.name ?? '') !== '') checkName(config, exchange.info.name)
  return target.answers.apply(config, reviewedRequest(exchange, target, 'UPDATE', options))
}

/** Request for handlers that call admission themselves. */
function reviewedRequest(
  exchange: Exchange,
  target: AnsweredTarget,
  operation: AdmissionOperation,
  options: WriteOptions,
): AnswerRequest {
  const request = answerRequest(exchange, target, options)
  const admission = answerAdmission(exchange, target, operation, options)
  return admission === undefined ? request : { ...request, admission }
}
