import { hasReason, type StatusReason } from '../meta/status.ts'

/** Handler of a rejection that ignores errors with one of the reasons and rethrows others. */
export function ignoring(...reasons: StatusReason[]): (error: unknown) => undefined {
  return (error) => {
    if (!hasReason(error, ...reasons)) throw error
  }
}

export const ignoreNotFound = ignoring('NotFound')
export const ignoreAlreadyExists = ignoring('AlreadyExists')
