import { jsonText } from '../meta/json/exactJson.ts'

/** Parts of a request that determine the layout of its response. */
export interface PrettyHints {
  /** The `pretty` parameter of the query; undefined if there is none. */
  query: string | undefined
  userAgent: string | undefined
  /** True if the selected Accept clause contains `pretty=1`. */
  accept: boolean
}

/**
 * Reports whether the response is for a person. A non-empty `pretty` parameter takes precedence over the user agent,
 * but does not override Accept. Source: reference 1.10.
 */
export function wantsPretty({ query, userAgent, accept }: PrettyHints): boolean {
  if (accept) return true
  if (query !== undefined && query !== '') return truths.has(query)
  return /^(curl|Wget|Mozilla\/5\.0)/.test(userAgent ?? '')
}

/** Values that Go's ParseBool reads as true. */
const truths: ReadonlySet<string> = new Set(['1', 't', 'T', 'TRUE', 'true', 'True'])

/** JSON for people: indented by two spaces, without a trailing line feed. */
export function prettyJson(value: unknown): string {
  return jsonText(value, 2)
}
