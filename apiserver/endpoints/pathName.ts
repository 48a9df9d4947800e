import { goQuote } from '../meta/goQuote.ts'
import { pathSegmentErrors } from '../meta/names/nameValidation.ts'
import { badRequest } from '../meta/statusErrors.ts'

/** Checks the name in the URL. @throws StatusError BadRequest. Source: reference 1.16. */
export function checkPathName(name: string): void {
  const errors = pathSegmentErrors(name)
  if (errors.length === 0) return
  throw badRequest(`Name parameter invalid: ${goQuote(name)}: ${errors.join(';')}`)
}
