import { StatusError } from '../meta/status.ts'
import type { ChainServices } from './chainServices.ts'
import type { Exchange } from './exchange.ts'
import type { CountedFilter } from './filterTallies.ts'

/** A step of the chain. It refuses by throwing a StatusError, or responds itself and ends the response. */
export type Filter = (
  exchange: Exchange,
  services: ChainServices,
) => void | Promise<void> | undefined

/** Minimum duration of a filter that is recorded for the log. */
const notedMs = 1

/** Runs a filter, and records its outcome and duration. */
export function countedRun(
  filter: Filter,
  counted: CountedFilter,
  exchange: Exchange,
  services: ChainServices,
): void | Promise<void> {
  const { tallies } = services
  const began = tallies.began()
  const passed = (): void => {
    // A filter without a result has already responded.
    const hasAnswered = exchange.response.writableEnded
    const ms = tallies.ended(counted, began, hasAnswered ? 'error' : words[counted].passed)
    if (ms >= notedMs) exchange.filtersMs = { ...exchange.filtersMs, [counted]: Math.round(ms) }
    if (counted === 'authentication') tallies.user(exchange.user.name)
  }
  const refused = (error: unknown): never => {
    tallies.ended(counted, began, refusalWord(counted, error))
    throw error
  }
  try {
    const pending = filter(exchange, services)
    if (pending !== undefined) return pending.then(passed, refused)
  } catch (error) {
    refused(error)
  }
  passed()
}

/** Labels of outcomes. Source: the labels of the API machinery. */
const words = {
  authentication: { passed: 'success', refused: 'failure', code: 401 },
  authorization: { passed: 'allowed', refused: 'denied', code: 403 },
} as const

function refusalWord(counted: CountedFilter, error: unknown): string {
  const { refused, code } = words[counted]
  return error instanceof StatusError && error.code === code ? refused : 'error'
}
