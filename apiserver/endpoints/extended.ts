import { parseBool } from '../encoding/queryValues.ts'
import type { Exchange } from './exchange.ts'

/** Reports whether the query requests the computed fields of a kind. Source: platform facts 3.2. */
export function asksExtended({ query }: Exchange): boolean {
  return query.has('extended') && parseBool(query.get('extended') ?? '')
}
