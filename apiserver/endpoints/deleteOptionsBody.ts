import { isObject } from '../meta/isObject.ts'
import { parseBool, parseInteger } from '../encoding/queryValues.ts'
import { badRequest } from '../meta/statusErrors.ts'
import type { DeleteOptions, Preconditions } from '../registry/deleteOptions.ts'
import { bodyType, decodeBytes } from './decodeBody.ts'
import type { Exchange } from './exchange.ts'
import { readBody } from './readBody.ts'

/** The options of a delete: its body's, or without one its query's. @throws StatusError BadRequest.
 *  Source: reference 3.5. */
export async function readDeleteOptions(exchange: Exchange): Promise<DeleteOptions> {
  const body = await readBody(exchange.request)
  if (body.length === 0) return fromQuery(exchange.query)
  const { value } = await decodeBytes(exchange, body, bodyType(exchange))
  if (!isObject(value))
    throw badRequest("couldn't get version/kind; json parse error: not an object")
  if (value['kind'] !== undefined && value['kind'] !== 'DeleteOptions') {
    throw badRequest('decoded object cannot be converted to DeleteOptions')
  }
  exchange.audit?.requestObject(value, body.length)
  return fromBody(value)
}

function fromQuery(query: URLSearchParams): DeleteOptions {
  const options: DeleteOptions = {}
  const grace = query.get('gracePeriodSeconds') ?? ''
  const policy = query.get('propagationPolicy')
  const orphan = query.get('orphanDependents')
  if (grace !== '') options.gracePeriodSeconds = parseInteger(grace)
  if (policy !== null) options.propagationPolicy = policy
  if (orphan !== null) options.orphanDependents = parseBool(orphan)
  if (query.has('dryRun')) options.dryRun = query.getAll('dryRun')
  return options
}

function fromBody(value: Record<string, unknown>): DeleteOptions {
  const options: DeleteOptions = {}
  const grace = member(value, 'gracePeriodSeconds', isInteger)
  const policy = member(value, 'propagationPolicy', isText)
  const orphan = member(value, 'orphanDependents', isBoolean)
  if (grace !== undefined) options.gracePeriodSeconds = grace
  if (policy !== undefined) options.propagationPolicy = policy
  if (orphan !== undefined) options.orphanDependents = orphan
  const dryRun = member(value, 'dryRun', isTextList) ?? []
  if (dryRun.length > 0) options.dryRun = dryRun
  const preconditions = member(value, 'preconditions', isObject)
  if (preconditions !== undefined) options.preconditions = preconditionsOf(preconditions)
  return options
}

function preconditionsOf(value: Record<string, unknown>): Preconditions {
  const uid = member(value, 'uid', isText)
  const resourceVersion = member(value, 'resourceVersion', isText)
  return {
    ...(uid === undefined ? {} : { uid }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  }
}

function member<T>(
  value: Record<string, unknown>,
  name: string,
  fits: (found: unknown) => found is T,
): T | undefined {
  const found = value[name]
  if (found === undefined || found === null) return undefined
  if (fits(found)) return found
  throw badRequest(
    `DeleteOptions in version "v1" cannot be handled as a DeleteOptions: ${name} has the wrong type`,
  )
}

const isInteger = (value: unknown): value is number => Number.isInteger(value)
const isText = (value: unknown): value is string => typeof value === 'string'
const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean'
const isTextList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every(isText)
