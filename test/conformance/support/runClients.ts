import type { ConformanceOptions } from './options.ts'
import type { Client, Report } from './scenario.ts'

/** Number of concurrent clients: their scenarios mostly wait. */
const atATime = 3

/** Runs the selected clients, some of them concurrently. */
export async function runClients(
  clients: readonly Client[],
  { clients: parts, only, retries }: ConformanceOptions,
  report: Report,
): Promise<void> {
  const isWanted = ({ name }: Client) =>
    parts.length === 0 || parts.some((part) => name.includes(part))
  const waiting = clients.filter(isWanted)
  const takeTurns = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      await next.run(report, { isWanted: (name) => only.test(name), retries })
    }
  }
  await Promise.all(Array.from({ length: atATime }, takeTurns))
}
