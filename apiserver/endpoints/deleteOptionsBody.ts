import { parseBool, parseInteger } from '../encoding/queryValues.ts'
import { badRequest } from '../meta/statusErrors.ts'
import type { DeleteOptions, Preconditions } from '../registry/beforeDelete.ts'
import { bodyType, decodeBytes } from './decodeBody.ts'
import type { Exchange } from './exchange.ts'
import { readBody } from './readBody.ts'

/** The options of a delete: its body's, or without one its query's. @throws StatusError BadRequest.
 *  Source: reference 3.5. */
export async function readDeleteOptions(exchange: Exchange): Promise<DeleteOptions> {
  const body = await readBody(exchange.request)
  if (body.length === 0) return fromQuery(exchange.query)
  const { value } = await decodeBytes(body, bodyType(exchange))
  if (!isRecord(value) || (value['kind'] !== undefined && value['kind'] !== 'DeleteOptions')) {
    throw badRequest('decoded object cannot be converted to DeleteOptions')
  }
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
  const grace = member(value, 'gracePeriodSeconds', 'number')
  const policy = member(value, 'propagationPolicy', 'string')
  const orphan = member(value, 'orphanDependents', 'boolean')
  if (grace !== undefined) options.gracePeriodSeconds = Number(grace)
  if (policy !== undefined) options.propagationPolicy = String(policy)
  if (orphan !== undefined) options.orphanDependents = orphan === true
  const dryRun = value['dryRun'] ?? []
  if (!Array.isArray(dryRun)) throw wrongType('dryRun', 'array')
  if (dryRun.length > 0) options.dryRun = dryRun.map(String)
  const preconditions = preconditionsOf(value['preconditions'])
  if (preconditions !== undefined) options.preconditions = preconditions
  return options
}

function preconditionsOf(value: unknown): Preconditions | undefined {
  if (value === undefined || value === null) return undefined
  if (!isRecord(value)) throw wrongType('preconditions', 'object')
  const uid = member(value, 'uid', 'string')
  const resourceVersion = member(value, 'resourceVersion', 'string')
  return {
    ...(uid === undefined ? {} : { uid: String(uid) }),
    ...(resourceVersion === undefined ? {} : { resourceVersion: String(resourceVersion) }),
  }
}

function member(
  value: Record<string, unknown>,
  name: string,
  type: 'number' | 'string' | 'boolean',
): unknown {
  const found = value[name]
  if (found === undefined || found === null) return undefined
  if (typeof found !== type) throw wrongType(name, type)
  return found
}

function wrongType(name: string, type: string): Error {
  return badRequest(
    `DeleteOptions in version "v1" cannot be handled as a DeleteOptions: ${name} must be of type ${type}`,
  )
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
