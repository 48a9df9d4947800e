import { jsonText } from '../meta/json/exactJson.ts'

/** What a request says about the layout of its answer. */
export interface PrettyHints {
  /** The `pretty` parameter of the query; undefined when there is none. */
  query: string | undefined
  userAgent: string | undefined
  /** The Accept clause that won asked for `pretty=1`. */
  accept: boolean
}

/** Whether a person is to read the answer. A `pretty` parameter that is not empty decides about the user agent, but
 *  does not take back what Accept asks for. Source: reference 1.10. */
export function wantsPretty({ query, userAgent, accept }: PrettyHints): boolean {
  if (accept) return true
  if (query !== undefined && query !== '') return truths.has(query)
  return /^(curl|Wget|Mozilla\/5\.0)/.test(userAgent ?? '')
}

/** What Go's ParseBool takes for true. */
const truths: ReadonlySet<string> = new Set(['1', 't', 'T', 'TRUE', 'true', 'True'])

/** JSON for people: two spaces of indentation, and no newline at the end. */
export function prettyJson(value: unknown): string {
  return jsonText(value, 2)
}
