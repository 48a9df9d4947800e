import type { Exchange } from '../exchange.ts'

/** Notes what was sent, for the audit log and for refusals, which must not repeat a secret of it. */
export function noteSent(exchange: Exchange, value: unknown, bytes: number): void {
  exchange.sentBody = value
  exchange.audit?.requestObject(value, bytes)
}
