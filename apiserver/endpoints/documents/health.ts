import { messageOf } from '../../meta/messageOf.ts'
import type { Exchange } from '../exchange.ts'
import { writeBareText, writeText } from '../response/response.ts'
import { HealthResults } from './healthResults.ts'

/** Health check. It throws with the reason of a failure. */
export interface HealthCheck {
  name: string
  check: () => void
  /** Paths that run the check. Absent: all. */
  roots?: readonly HealthRoot[]
}

const healthRoots = ['healthz', 'livez', 'readyz'] as const
export type HealthRoot = (typeof healthRoots)[number]

/** Every path that `serveHealth` serves. */
export function healthPaths(checks: readonly HealthCheck[]): string[] {
  return healthRoots.flatMap((root) => [
    `/${root}`,
    ...checksOf(root, checks).map(({ name }) => `/${root}/${name}`),
  ])
}

/**
 * Serves `/healthz`, `/livez`, `/readyz` and `/<root>/<check>` for any method. False: another path.
 * Source: reference 6.8.
 */
export function serveHealth(exchange: Exchange, checks: readonly HealthCheck[]): boolean {
  const [, first, single] = /^\/([^/]+)(?:\/(.*))?$/s.exec(exchange.path) ?? []
  const root = healthRoots.find((one) => one === first)
  if (root === undefined) return false
  const asked = checksOf(root, checks)
  const found = asked.filter(({ name }) => single === undefined || name === single)
  if (found.length === 0) return false
  const ask = asking(root, healthResultsOf(checks))
  if (single === undefined) writeAll(exchange, root, found, ask)
  else writeOne(exchange, found, ask)
  return true
}

/** Results of these checks so far. */
export function healthResultsOf(checks: readonly HealthCheck[]): HealthResults {
  let results = resultsOfChecks.get(checks)
  if (results === undefined) resultsOfChecks.set(checks, (results = new HealthResults()))
  return results
}

const resultsOfChecks = new WeakMap<readonly HealthCheck[], HealthResults>()

/** Runs a check, records the result, and returns the reason of a failure. */
type Ask = (check: HealthCheck) => string | undefined

function asking(root: HealthRoot, results: HealthResults): Ask {
  return (check) => {
    const why = failure(check)
    results.note(root, check.name, why === undefined)
    return why
  }
}

function checksOf(root: HealthRoot, checks: readonly HealthCheck[]): HealthCheck[] {
  return checks.filter(({ roots }) => roots?.includes(root) ?? true)
}

function writeOne(exchange: Exchange, checks: readonly HealthCheck[], ask: Ask): void {
  const [why] = checks.map(ask).filter((reason) => reason !== undefined)
  // The real server does not set the type of this response.
  if (why === undefined) writeBareText(exchange, 200, 'ok')
  else writeText(exchange, 500, `internal server error: ${why}\n`)
}

function writeAll(
  exchange: Exchange,
  root: string,
  checks: readonly HealthCheck[],
  ask: Ask,
): void {
  const { query } = exchange
  const excluded = new Set(query.getAll('exclude'))
  const lines: string[] = []
  let isHealthy = true
  for (const check of checks) {
    if (excluded.delete(check.name)) {
      lines.push(`[+]${check.name} excluded: ok`)
      continue
    }
    const isOk = ask(check) === undefined
    isHealthy &&= isOk
    lines.push(isOk ? `[+]${check.name} ok` : `[-]${check.name} failed: reason withheld`)
  }
  if (excluded.size > 0) {
    const names = [...excluded].map((name) => JSON.stringify(name)).join(',')
    lines.push(`warn: some health checks cannot be excluded: no matches for ${names}`)
  }
  if (isHealthy && !query.has('verbose')) return writeText(exchange, 200, 'ok')
  const summary = `${root} check ${isHealthy ? 'passed' : 'failed'}`
  writeText(exchange, isHealthy ? 200 : 500, `${[...lines, summary].join('\n')}\n`)
}

function failure({ check }: HealthCheck): string | undefined {
  try {
    check()
    return undefined
  } catch (error) {
    return messageOf(error)
  }
}
