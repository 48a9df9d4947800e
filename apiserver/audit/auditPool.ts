import type { Pool } from 'pg'

const connectMs = 5_000

export interface PoolOptions {
  /** Receives errors of idle connections. */
  onError: (error: unknown) => void
  /** Maximum duration of a statement in milliseconds. */
  statementMs: number
  /** Name that the database shows for the connection. */
  name: string
}

/** A pool of one connection. The library is loaded at first use. @param endpoint a URL that may contain a password. */
export async function auditPool(endpoint: string, options: PoolOptions): Promise<Pool> {
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
