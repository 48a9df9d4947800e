/** The object that could not be synced; name and namespace are empty where it is a whole kind. */
export interface FailedObject {
  kind: string
  namespace: string
  name: string
}

/** A sync that failed and is tried again. The message is the cause's, without the object. */
export class SyncFailure extends Error {
  readonly object: FailedObject

  constructor(object: FailedObject, cause: unknown) {
    super(messageOf(cause), { cause })
    this.name = 'SyncFailure'
    this.object = object
  }
}

/** What a log line says of a failure: the object and the problem, and no stack, since most of them are the work of whoever
 *  wrote a configuration or an object. */
export function failureFields(error: unknown): Record<string, string> {
  const problem = messageOf(error)
  if (!(error instanceof SyncFailure)) return { problem }
  const known = Object.entries(error.object).filter(([, text]) => text !== '')
  return { ...Object.fromEntries(known), problem }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
