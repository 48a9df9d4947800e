import type { EventPage, EventQuery } from '../../audit/eventSearch.ts'
import {
  badRequest,
  forbiddenPath,
  routeMethodNotAllowed,
  serviceUnavailable,
} from '../../meta/statusErrors.ts'
import { StatusError } from '../../meta/status.ts'
import type { Exchange } from '../exchange.ts'
import { writeBody } from '../response/response.ts'

/** Path of the audit event search. */
const auditPath = '/audit/events'

const texts = ['user', 'verb', 'resource', 'namespace', 'name', 'stage'] as const
const times = ['since', 'until'] as const
const known: readonly string[] = [...texts, ...times, 'code', 'limit', 'continue', 'pretty']
const defaultLimit = 100
const maxLimit = 500

/** Searches events; undefined: no data store is set. */
type Find = (query: EventQuery) => Promise<EventPage> | undefined

/**
 * Serves the audit events of the data store, newest first, to users who may list `events` of the group `audit.k8s.io`.
 * False: another path. @throws StatusError 400 for a condition that is unknown or malformed, 403, 404 without a data
 * store, 503 while the database cannot be searched.
 */
export async function serveAuditEvents(exchange: Exchange, find: Find): Promise<boolean> {
  if (exchange.path !== auditPath) return false
  if (exchange.method !== 'GET') throw routeMethodNotAllowed()
  if (!(await mayList(exchange))) {
    const who = JSON.stringify(exchange.user.name)
    throw forbiddenPath(`User ${who} cannot list events in the API group "audit.k8s.io"`)
  }
  const found = find(queryOf(exchange.query))
  if (found === undefined) throw noDataStore()
  const { items, next } = await found.catch((error: unknown) => {
    exchange.report(error)
    throw serviceUnavailable('the audit database cannot be searched now', 5)
  })
  const metadata = next === undefined ? {} : { continue: next }
  const list = { kind: 'EventList', apiVersion: 'audit.k8s.io/v1', metadata, items }
  const body = Buffer.from(`${JSON.stringify(list)}\n`)
  await writeBody(exchange, body, { code: 200, mediaType: 'application/json' })
  return true
}

/**
 * Checks a right in addition to the path's, since roles grant `get` on all paths for reading
 * documents.
 */
async function mayList({ plane, user, path }: Exchange): Promise<boolean> {
  const asked = { verb: 'list', group: 'audit.k8s.io', version: 'v1', resource: 'events' }
  const place = { user, isResource: true, namespace: '', name: '', subresource: '', path }
  return (await plane.authorize({ ...place, ...asked })).allowed
}

function noDataStore(): StatusError {
  const message =
    'no audit events can be searched: set audit.dataStoreEndpoint in the configuration of the platform'
  return new StatusError(404, 'NotFound', message, { details: {} })
}

function queryOf(params: URLSearchParams): EventQuery {
  for (const name of params.keys())
    if (!known.includes(name))
      throw badRequest(`unknown condition ${JSON.stringify(name)}: one of ${known.join(', ')}`)
  const given = (name: string) => params.get(name) || undefined
  const limit = numberIn(params, 'limit') ?? defaultLimit
  if (limit < 1 || limit > maxLimit) throw badRequest(`limit: must be between 1 and ${maxLimit}`)
  const conditions = Object.fromEntries([
    ...texts.map((name) => [name, given(name)]),
    ...times.map((name) => [name, timeIn(name, given(name))]),
  ]) as Partial<EventQuery>
  const code = numberIn(params, 'code')
  const before = numberIn(params, 'continue')
  return {
    ...conditions,
    limit,
    ...(code === undefined ? {} : { code }),
    ...(before === undefined ? {} : { before: String(before) }),
  }
}

function numberIn(params: URLSearchParams, name: string): number | undefined {
  const text = params.get(name) ?? ''
  if (text === '') return undefined
  if (!/^\d{1,15}$/.test(text))
    throw badRequest(`${name}: must be a number, not ${JSON.stringify(text)}`)
  return Number(text)
}

function timeIn(name: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text)
  if (!isTime || Number.isNaN(Date.parse(text)))
    throw badRequest(
      `${name}: must be a time such as 2030-01-01T00:00:00Z, not ${JSON.stringify(text)}`,
    )
  return text
}
