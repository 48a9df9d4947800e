import { AuditPool } from './auditPool.ts'

/** Conditions on audit events, all of which have to match. */
export interface EventQuery {
  user?: string
  verb?: string
  resource?: string
  namespace?: string
  name?: string
  stage?: string
  code?: number
  /** RFC 3339, inclusive. */
  since?: string
  /** RFC 3339, exclusive. */
  until?: string
  /** Maximum number of events. */
  limit: number
  /** Continue token of the previous page. */
  before?: string
}

export interface EventPage {
  /** Events, newest first. */
  items: readonly unknown[]
  /** Continue token for older events; undefined: none. */
  next: string | undefined
}

const statementMs = 10_000

/** SQL expressions for the fields of an event. */
const expressions = {
  // Both users are matched: the sender and the impersonated user.
  user: `$$ IN (event #>> '{user,username}', event #>> '{impersonatedUser,username}')`,
  verb: `event ->> 'verb' = $$`,
  resource: `event #>> '{objectRef,resource}' = $$`,
  namespace: `event #>> '{objectRef,namespace}' = $$`,
  name: `event #>> '{objectRef,name}' = $$`,
  stage: `stage = $$`,
  code: `(event #>> '{responseStatus,code}')::int = $$`,
  since: `stage_time >= $$::timestamptz`,
  until: `stage_time < $$::timestamptz`,
  before: `id < $$::bigint`,
} as const

/**
 * Searches audit events in the database over its own connections, so that a slow search does not
 * delay recording. The database ends searches that take too long.
 */
export class EventSearch {
  readonly #pool: AuditPool

  /** `endpoint` is a URL that may contain a password. `onError` receives errors of idle connections. */
  constructor(endpoint: string, onError: (error: unknown) => void) {
    this.#pool = new AuditPool(endpoint, { onError, statementMs, name: 'audit search' })
  }

  async find(query: EventQuery): Promise<EventPage> {
    const pool = await this.#pool.open()
    const { text, values } = statement(query)
    const { rows } = await pool.query<{ id: string; event: unknown }>(text, values)
    const page = rows.slice(0, query.limit)
    return {
      items: page.map(({ event }) => event),
      next: rows.length > query.limit ? page.at(-1)?.id : undefined,
    }
  }

  close(): Promise<void> {
    return this.#pool.close()
  }
}

function statement({ limit, ...conditions }: EventQuery): { text: string; values: unknown[] } {
  const values: unknown[] = []
  const where = Object.entries(conditions)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => {
      values.push(value)
      // Every condition has an expression.
      return expressions[name as keyof typeof expressions].replace('$$', `$${values.length}`)
    })
  values.push(limit + 1)
  const filter = where.length === 0 ? '' : `WHERE ${where.join(' AND ')}`
  const text = `SELECT id::text AS id, event FROM audit_events ${filter} ORDER BY id DESC LIMIT $${values.length}`
  return { text, values }
}
