import { StatusError } from '../meta/status.ts'

/** For a rejection: what was to be worked on is gone already. Anything else is thrown on. */
export function ignoreNotFound(error: unknown): undefined {
  if (error instanceof StatusError && error.reason === 'NotFound') return undefined
  throw error
}
