import { messageOf } from '../../apiserver/meta/messageOf.ts'

/** The object that could not be synced; name and namespace are empty for a whole kind. */
export interface FailedObject {
  kind: string
  namespace: string
  name: string
}

/** A failed sync that will be retried. The message is the cause's, without the object. */
export class SyncFailure extends Error {
  readonly object: FailedObject

  constructor(object: FailedObject, cause: unknown) {
    super(messageOf(cause), { cause })
    this.name = 'SyncFailure'
    this.object = object
  }
}

/**
 * Fields of a log line about a failure: the object and the problem, without a stack, since most are caused by users'
 * configurations or objects.
 */
export function failureFields(error: unknown): Record<string, string> {
  const problem = messageOf(error)
  if (!(error instanceof SyncFailure)) return { problem }
  const known = Object.entries(error.object).filter(([, text]) => text !== '')
  return { ...Object.fromEntries(known), problem }
}
