import { badRequest } from '../statusErrors.ts'

/** Characters of a selector: what names a thousand objects or values. Reading one takes microseconds for each. */
const maxSelectorLength = 64 * 1024

/** @throws StatusError 400 for a selector that nobody writes and that would take long to read. */
export function checkSelectorLength(text: string): void {
  if (text.length <= maxSelectorLength) return
  throw badRequest(`unable to parse selector: it has more than ${maxSelectorLength} characters`)
}
