import { parseBool } from '../encoding/queryValues.ts'
import type { Exchange } from './exchange.ts'

/** The query asks for what a kind computes beside what it stores. Source: platform facts 3.2. */
export function asksExtended({ query }: Exchange): boolean {
  return query.has('extended') && parseBool(query.get('extended') ?? '')
}
