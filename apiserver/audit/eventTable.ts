import type { Pool } from 'pg'
import { AuditPool } from './auditPool.ts'

const create = `
  CREATE TABLE IF NOT EXISTS audit_events (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    audit_id text NOT NULL,
    stage text NOT NULL,
    stage_time timestamptz NOT NULL,
    event jsonb NOT NULL
  );
  CREATE INDEX IF NOT EXISTS audit_events_stage_time ON audit_events (stage_time);
  CREATE INDEX IF NOT EXISTS audit_events_audit_id ON audit_events (audit_id);`

const insert = `
  INSERT INTO audit_events (audit_id, stage, stage_time, event)
  SELECT e->>'auditID', e->>'stage', (e->>'stageTimestamp')::timestamptz, e
  FROM unnest($1::text[]) WITH ORDINALITY AS lines(line, at), LATERAL (SELECT line::jsonb AS e) AS parsed
  ORDER BY at`

const removeSome = `
  DELETE FROM audit_events WHERE id IN
    (SELECT id FROM audit_events WHERE stage_time < $1 ORDER BY stage_time LIMIT ${10_000})`

const statementMs = 30_000

/**
 * Events in a table of a PostgreSQL database. The library is loaded and the database connected on
 * first use.
 */
export class EventTable {
  readonly #pool: AuditPool
  #isMade = false

  /** `endpoint` is a URL that may contain a password. `onError` receives errors of idle connections. */
  constructor(endpoint: string, onError: (error: unknown) => void) {
    this.#pool = new AuditPool(endpoint, { onError, statementMs, name: 'audit' })
  }

  /** Creates the table if it is missing. */
  async make(): Promise<void> {
    await this.#ready()
  }

  /** Adds all of the events or none. */
  async insert(lines: readonly string[]): Promise<void> {
    const pool = await this.#ready()
    await pool.query(insert, [lines.map(storable)])
  }

  /** Removes events older than the given time, in small steps that do not block inserts. */
  async removeBefore(epochMs: number): Promise<void> {
    const pool = await this.#ready()
    const before = new Date(epochMs).toISOString()
    let removed: number | null
    do removed = (await pool.query(removeSome, [before])).rowCount
    while (removed !== null && removed > 0)
  }

  close(): Promise<void> {
    return this.#pool.close()
  }

  async #ready(): Promise<Pool> {
    const pool = await this.#pool.open()
    if (!this.#isMade) await pool.query(create)
    this.#isMade = true
    return pool
  }
}

/**
 * JSON that the database accepts. It supports neither the character 0 nor unpaired surrogates,
 * which JSON.stringify writes as exactly these escapes.
 */
function storable(line: string): string {
  if (!/\\u(0000|d)/.test(line)) return line
  return line.replace(/(?<=(?:^|[^\\])(?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/g, '\\ufffd')
}

/**
 * Reports whether an error is about the data, so that a retry is pointless. Source: PostgreSQL,
 * appendix A: class 22 for data, class 54 for program limits.
 */
export function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  return typeof error.code === 'string' && /^(22|54)/.test(error.code)
}
