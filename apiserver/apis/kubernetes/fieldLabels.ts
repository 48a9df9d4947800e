import { goQuote } from '../../meta/goQuote.ts'

/**
 * Error message for an unknown path in a field selector, for kinds of the core group and events.
 */
export function refusedLabel(path: string): string {
  return `field label not supported: ${path}`
}

export function refusedJobLabel(path: string): string {
  return `field label ${goQuote(path)} not supported for Job`
}
