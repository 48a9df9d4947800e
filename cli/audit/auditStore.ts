import type { Client } from 'pg'
import { CliError, exitCodes } from '../base/cliError.ts'
import type { AuditEvent, AuditFilter } from './filter.ts'

const connectMs = 10_000

/** Newest events in the database, up to the limit, oldest first. The library is loaded on first use. */
export async function queryAuditStore(
  endpoint: string,
  filter: AuditFilter,
  limit: number,
): Promise<AuditEvent[]> {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: endpoint, connectionTimeoutMillis: connectMs })
  try {
    await client.connect()
    return await eventsOf(client, filter, limit)
  } catch (error) {
    // The address may contain a password.
    const message = `cannot query the audit database: ${(error as Error).message}`
    throw new CliError(message, { code: exitCodes.unreachable, cause: error })
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function eventsOf(client: Client, filter: AuditFilter, limit: number): Promise<AuditEvent[]> {
  const { text, values } = auditQuery(filter, limit)
  const { rows } = await client.query<{ event: AuditEvent }>(text, values)
  return rows.map(({ event }) => event).reverse()
}

/** SQL query of a filter; every value is a parameter. */
export function auditQuery(
  filter: AuditFilter,
  limit: number,
): { text: string; values: unknown[] } {
  const values: unknown[] = []
  const conditions: string[] = []
  const add = (condition: (parameter: string) => string, value: unknown) => {
    if (value === undefined) return
    values.push(value)
    conditions.push(condition(`$${values.length}`))
  }
  add((p) => `event->'user'->>'username' = ${p}`, filter.user)
  add((p) => `event->>'verb' = ${p}`, filter.verb)
  add((p) => `event->'objectRef'->>'resource' = ${p}`, filter.resource)
  add((p) => `event->'objectRef'->>'namespace' = ${p}`, filter.namespace)
  add((p) => `event->'objectRef'->>'name' = ${p}`, filter.name)
  add((p) => `event->'responseStatus'->>'code' LIKE ${p}`, filter.code?.replaceAll('x', '_'))
  add(
    (p) => `stage_time >= ${p}`,
    filter.since === undefined ? undefined : new Date(filter.since).toISOString(),
  )
  values.push(limit)
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`
  const text = `SELECT event FROM audit_events${where} ORDER BY stage_time DESC, id DESC LIMIT $${values.length}`
  return { text, values }
}
