import type { Exchange } from '../exchange.ts'

/** Records the request body, for the audit log and for errors, which must not repeat its secrets. */
export function noteSent(exchange: Exchange, value: unknown, bytes: number): void {
  exchange.sentBody = value
  exchange.audit?.requestObject(value, bytes)
}
