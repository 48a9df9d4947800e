import { badRequest } from '../statusErrors.ts'

/** Maximum characters of a selector, enough for a thousand objects or values. Parsing takes microseconds for each. */
const maxSelectorLength = 64 * 1024

/** Checks the length. @throws StatusError 400 for a selector that would take too long to parse. */
export function checkSelectorLength(text: string): void {
  if (text.length <= maxSelectorLength) return
  throw badRequest(`unable to parse selector: it has more than ${maxSelectorLength} characters`)
}
