import { goQuote } from '../../meta/goQuote.ts'

/** What the kinds of the core group, and events, answer to a field selector with a path that they do not know. */
export function refusedLabel(path: string): string {
  return `field label not supported: ${path}`
}

export function refusedJobLabel(path: string): string {
  return `field label ${goQuote(path)} not supported for Job`
}
