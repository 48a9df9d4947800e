import { StatusError } from '../meta/status.ts'

/** Handles a rejection: ignores NotFound and rethrows other errors. */
export function ignoreNotFound(error: unknown): undefined {
  if (error instanceof StatusError && error.reason === 'NotFound') return undefined
  throw error
}
