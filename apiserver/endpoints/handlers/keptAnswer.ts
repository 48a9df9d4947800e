import { routeMethodNotAllowed } from '../../meta/statusErrors.ts'
import type { ApiObject } from '../../meta/types.ts'
import { keepTimes } from '../../patch/apply/managers/keepTimes.ts'
import type { Answers, AnswerTransform } from '../../registry/answers.ts'
import { matchNamespace, wipeSystemMetadata } from '../../registry/write/metadataSteps.ts'
import { applyPatchType, patchTypesOf } from '../../registry/resource.ts'
import { bodyObject } from '../body/bodyObject.ts'
import type { Exchange } from '../exchange.ts'
import { admitAnswered } from '../write/answeredReview.ts'
import { fieldManagement, type FieldManagement } from '../write/fieldManagement.ts'
import { patchType } from '../body/patchType.ts'
import { readBody } from '../body/readBody.ts'
import { writeOptions, type WriteOptions } from '../write/writeOptions.ts'
import { checkedObject, sentObject } from './answerBodies.ts'
import { readPatch } from './answerPatch.ts'
import { answerRequest, type AnsweredTarget } from './handleRequest.ts'
import { readConfig, refuseFound } from './apply.ts'
import { checkName } from './update.ts'

type KeptAnswers = Required<Pick<Answers, 'change'>>

export function keepsMetadata(answers: Answers): answers is KeptAnswers {
  return answers.change !== undefined
}

interface Write {
  options: WriteOptions
  transform: AnswerTransform
}

/**
 * Handles a write of a kind without a store that nevertheless keeps metadata: managed fields are recorded as for stored
 * kinds.
 */
export async function handleKept(
  exchange: Exchange,
  target: AnsweredTarget & { answers: KeptAnswers },
): Promise<ApiObject> {
  const { options, transform } = await readWrite(exchange, target)
  const admitted: AnswerTransform = async (old) => {
    const object = await transform(old)
    const operation = liveOf(old) === undefined ? 'CREATE' : 'UPDATE'
    const write = { operation, dryRun: options.dryRun, object } as const
    const isNew = operation === 'CREATE'
    const admission = admitAnswered(exchange, target, isNew ? write : { ...write, old: () => old })
    return (await admission) ?? object
  }
  return target.answers.change(admitted, answerRequest(exchange, target, options))
}

function readWrite(exchange: Exchange, target: AnsweredTarget): Promise<Write> {
  if (target.verb === 'create') return readCreate(exchange, target)
  if (target.verb === 'update') return readUpdate(exchange, target)
  if (target.verb !== 'patch') throw routeMethodNotAllowed()
  const mediaType = patchType(exchange, patchTypesOf(target.resource))
  if (mediaType === applyPatchType) return readApply(exchange, target)
  return readPatchWrite(exchange, target, mediaType)
}

async function readCreate(exchange: Exchange, target: AnsweredTarget): Promise<Write> {
  const options = writeOptions(exchange, 'CreateOptions')
  const object = await sentObject(exchange, target.resource, options)
  wipeSystemMetadata(object.metadata)
  delete object.metadata.resourceVersion
  return { options, transform: noting(managementOf(exchange, target, options), object) }
}

async function readUpdate(exchange: Exchange, target: AnsweredTarget): Promise<Write> {
  const options = writeOptions(exchange, 'UpdateOptions')
  const object = await sentObject(exchange, target.resource, options)
  matchNamespace(object.metadata, target.object.namespace)
  checkName(object, target.object.name)
  return { options, transform: noting(managementOf(exchange, target, options), object) }
}

/** The request's object with its managers. */
function noting(management: FieldManagement, object: ApiObject): AnswerTransform {
  return (old) => Promise.resolve(management.updated(liveOf(old), withoutStatus(object)))
}

async function readPatchWrite(
  exchange: Exchange,
  target: AnsweredTarget,
  mediaType: string,
): Promise<Write> {
  const options = writeOptions(exchange, 'PatchOptions')
  const patched = await readPatch(exchange, target, mediaType, options)
  const management = managementOf(exchange, target, options)
  const transform: AnswerTransform = async (old) =>
    management.updated(liveOf(old), withoutStatus(await patched(old)))
  return { options, transform }
}

async function readApply(exchange: Exchange, target: AnsweredTarget): Promise<Write> {
  const { resource, object } = target
  const { resources } = exchange.plane
  const body = await readBody(exchange)
  const options = writeOptions(exchange, 'PatchOptions', true)
  const config = withoutStatus(await readConfig(body, exchange, options))
  const management = managementOf(exchange, target, options)
  const transform: AnswerTransform = async (old) => {
    const live = liveOf(old)
    const merged = management.applied(live, config)
    const read = bodyObject(merged, [], resource, { resources, isMerged: true })
    refuseFound(read.nulls ?? [], read.object, resource)
    const next = await checkedObject(exchange, read, resource, options)
    checkName(next, object.name)
    return live === undefined ? next : keepTimes(live, next)
  }
  return { options, transform }
}

function managementOf(
  exchange: Exchange,
  { resource }: AnsweredTarget,
  options: WriteOptions,
): FieldManagement {
  const store = { options: { clock: { now: () => exchange.startedMs } } }
  return fieldManagement(
    { resource, store, subresource: undefined },
    options,
    exchange.plane.resources,
  )
}

/** Live object; undefined: nothing is stored yet. */
function liveOf(old: ApiObject): ApiObject | undefined {
  return old.metadata.uid === undefined ? undefined : withoutStatus(old)
}

function withoutStatus(object: ApiObject): ApiObject {
  const { status: _, ...rest } = object
  return rest
}
