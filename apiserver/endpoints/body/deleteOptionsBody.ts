import { jsonType } from '../../encoding/mediaTypes.ts'
import { isObject } from '../../meta/json/isObject.ts'
import { parseBool, parseInteger } from '../../encoding/queryValues.ts'
import { StatusError } from '../../meta/status.ts'
import { badRequest } from '../../meta/statusErrors.ts'
import type { DeleteOptions, Preconditions } from '../../registry/write/deleteOptions.ts'
import { givenType } from './bodyType.ts'
import { bodyMediaType, decodeBytes } from './decodeBody.ts'
import type { Exchange } from '../exchange.ts'
import { unreadableJson, wrongGoObject } from './goDecoder.ts'
import { wrongGoType } from './goVoices.ts'
import { optionsSchemeProblem } from './goOptionsScheme.ts'
import { readBody } from './readBody.ts'

/**
 * Reads the options of a delete from its body or, without one, its query. @throws StatusError BadRequest.
 * Source: reference 3.5.
 */
export async function readDeleteOptions(exchange: Exchange): Promise<DeleteOptions> {
  const body = await readBody(exchange)
  if (body.length === 0) return fromQuery(exchange.query)
  const value = await decoded(exchange, body)
  const { given, why = given && optionsSchemeProblem(given) } = givenType(value, deleteOptions)
  if (why !== undefined) throw badRequest(why)
  exchange.audit?.requestObject(value, body.length)
  return fromBody(value)
}

async function decoded(exchange: Exchange, body: Buffer): Promise<Record<string, unknown>> {
  const mediaType = bodyMediaType(exchange)
  const { value } = await decodeBytes(exchange, body, mediaType).catch((error: unknown) => {
    if (mediaType !== jsonType || !(error instanceof StatusError)) throw error
    throw badRequest(unreadableJson(error.message), error)
  })
  if (value === null) return {}
  if (!isObject(value)) throw badRequest(unreadableJson(wrongGoObject(value)))
  return value
}

const deleteOptions = { group: 'meta.k8s.io', version: 'v1', kind: 'DeleteOptions' }

function fromQuery(query: URLSearchParams): DeleteOptions {
  const options: DeleteOptions = {}
  const grace = query.get('gracePeriodSeconds')
  const policy = query.get('propagationPolicy')
  const orphan = query.get('orphanDependents')
  if (grace !== null) options.gracePeriodSeconds = parseInteger(grace)
  if (policy !== null) options.propagationPolicy = policy
  if (orphan !== null) options.orphanDependents = parseBool(orphan)
  if (query.has('dryRun')) options.dryRun = query.getAll('dryRun')
  const ignores = query.get('ignoreStoreReadErrorWithClusterBreakingPotential')
  if (ignores !== null)
    options.ignoreStoreReadErrorWithClusterBreakingPotential = parseBool(ignores)
  const preconditions = queryPreconditions(query)
  if (preconditions !== undefined) options.preconditions = preconditions
  return options
}

/**
 * Preconditions in the query, which has them at the same level as other options. Source: observed
 * answers.
 */
function queryPreconditions(query: URLSearchParams): Preconditions | undefined {
  const [uid, resourceVersion] = [query.get('uid') ?? '', query.get('resourceVersion') ?? '']
  if (uid === '' && resourceVersion === '') return undefined
  return {
    ...(uid === '' ? {} : { uid }),
    ...(resourceVersion === '' ? {} : { resourceVersion }),
  }
}

function fromBody(value: Record<string, unknown>): DeleteOptions {
  const options: DeleteOptions = {}
  const member = memberOf('DeleteOptions', value)
  const grace = member('gracePeriodSeconds', 'int64', isInteger)
  const policy = member('propagationPolicy', 'v1.DeletionPropagation', isText)
  const orphan = member('orphanDependents', 'bool', isBoolean)
  if (grace !== undefined) options.gracePeriodSeconds = Number(grace)
  if (policy !== undefined) options.propagationPolicy = policy
  if (orphan !== undefined) options.orphanDependents = orphan
  const dryRun = member('dryRun', '[]string', isList) ?? []
  const odd = dryRun.find((item) => !isText(item))
  if (odd !== undefined) throw badRequest(wrongGoType(odd, 'DeleteOptions.dryRun', 'string'))
  if (dryRun.length > 0) options.dryRun = dryRun.filter(isText)
  const ignores = member('ignoreStoreReadErrorWithClusterBreakingPotential', 'bool', isBoolean)
  if (ignores !== undefined) options.ignoreStoreReadErrorWithClusterBreakingPotential = ignores
  const preconditions = member('preconditions', 'v1.Preconditions', isObject)
  if (preconditions !== undefined) options.preconditions = preconditionsOf(preconditions)
  return options
}

function preconditionsOf(value: Record<string, unknown>): Preconditions {
  const member = memberOf('Preconditions.preconditions', value)
  const uid = member('uid', 'types.UID', isText)
  const resourceVersion = member('resourceVersion', 'string', isText)
  return {
    ...(uid === undefined ? {} : { uid }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  }
}

/** Reads members of `value`, with the library's error for another type. */
function memberOf(struct: string, value: Readonly<Record<string, unknown>>) {
  return <T>(name: string, goType: string, fits: (found: unknown) => found is T): T | undefined => {
    const found = value[name]
    if (found === undefined || found === null) return undefined
    if (fits(found)) return found
    throw badRequest(wrongGoType(found, `${struct}.${name}`, goType))
  }
}

const isInteger = (value: unknown): value is number | bigint =>
  // The decoder never returns bigints beyond 64 bits.
  typeof value === 'bigint' || (Number.isInteger(value) && Math.abs(Number(value)) < 2 ** 63)
const isText = (value: unknown): value is string => typeof value === 'string'
const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean'
const isList = (value: unknown): value is unknown[] => Array.isArray(value)
