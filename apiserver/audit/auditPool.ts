import type { Pool } from 'pg'
import { untilDone } from '../meta/waiting/untilDone.ts'

const connectMs = 5_000

export interface PoolOptions {
  /** Receives errors of idle connections. */
  onError: (error: unknown) => void
  /** Maximum duration of a statement in milliseconds. */
  statementMs: number
  /** Connection name shown by the database. */
  name: string
}

/** Connections to the audit database, opened on first use, when the library is also loaded. */
export class AuditPool {
  /** Opens the connections. A failure is not cached: the next call retries. */
  readonly open: () => Promise<Pool>
  readonly #options: PoolOptions
  #pool: Promise<Pool> | undefined

  /** `endpoint` is a URL that may contain a password. */
  constructor(endpoint: string, options: PoolOptions) {
    this.#options = options
    this.open = untilDone(() => (this.#pool = openPool(endpoint, options)))
  }

  async close(): Promise<void> {
    const pool = await this.#pool?.catch(() => undefined)
    await pool?.end().catch(this.#options.onError)
  }
}

async function openPool(endpoint: string, options: PoolOptions): Promise<Pool> {
  const { default: pg } = await import('pg')
  const pool = new pg.Pool({
    connectionString: endpoint,
    max: 1,
    connectionTimeoutMillis: connectMs,
    query_timeout: options.statementMs,
    statement_timeout: options.statementMs,
    application_name: options.name,
  })
  pool.on('error', options.onError)
  return pool
}
