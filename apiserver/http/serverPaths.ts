import type { ChainServices } from '../endpoints/chainServices.ts'
import type { Exchange } from '../endpoints/exchange.ts'
import { healthResultsOf, serveHealth, type HealthCheck } from '../endpoints/documents/health.ts'
import { writeBody } from '../endpoints/response/response.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { serverVersion } from '../runtime/serverVersion.ts'

/** Reports whether pages of an origin are allowed; undefined: no origins are configured. */
export function originRule(patterns: readonly string[]): ChainServices['allowsOrigin'] {
  if (patterns.length === 0) return undefined
  const rules = patterns.map((pattern) => new RegExp(`^(?:${pattern})$`, 'i'))
  return (origin) => rules.some((rule) => rule.test(origin))
}

/** Path below a plane's prefix; the plane is also served at the root. */
export function belowPrefix(path: string, prefix: string): string {
  if (!path.startsWith(prefix)) return path
  const rest = path.slice(prefix.length)
  if (rest === '') return '/'
  return rest.startsWith('/') ? rest : path
}

export const metricsPaths = ['/metrics', '/metrics/slis'] as const

/** Serves health and metrics, which belong to the whole server. */
export async function serveServerPath(
  exchange: Exchange,
  checks: readonly HealthCheck[],
  metrics: Metrics,
): Promise<boolean> {
  if (exchange.path === '/metrics') {
    const { body, contentType } = await metrics.text()
    await writeBody(exchange, Buffer.from(body), { code: 200, mediaType: contentType })
    return true
  }
  if (exchange.path !== '/metrics/slis') return serveHealth(exchange, checks)
  const body = Buffer.from(healthResultsOf(checks).text())
  await writeBody(exchange, body, { code: 200, mediaType: 'text/plain; version=0.0.4' })
  return true
}

/** Build information for `/version`. */
export function buildInfo() {
  return {
    serverVersion: serverVersion(),
    gitCommit: '',
    buildDate: '1970-01-01T00:00:00Z',
    platform: `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`,
    runtime: `node${process.versions.node}`,
  }
}
