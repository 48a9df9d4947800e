import { messageOf } from '../../meta/messageOf.ts'
import { StorageError, type StorageErrorCode } from '../errors.ts'

/** Error of a failed call, from etcd or from the connection to it. */
export class CallError extends Error {
  /** gRPC status code. */
  readonly code: number
  /** True if etcd has certainly not processed the call, so that any call may be retried. */
  readonly isUnsent: boolean

  constructor(
    code: number,
    message: string,
    { cause, isUnsent = false }: { cause?: unknown; isUnsent?: boolean } = {},
  ) {
    super(message, { cause })
    this.name = 'CallError'
    this.code = code
    this.isUnsent = isUnsent
  }
}

/** Status codes of gRPC. */
export const status = {
  unknown: 2,
  deadlineExceeded: 4,
  permissionDenied: 7,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
  unauthenticated: 16,
} as const

/** Reports whether the error concerns one member only, so that another one may respond. */
export function isOfMember({ code }: CallError): boolean {
  return code === status.unavailable || code === status.deadlineExceeded
}

export function isTokenRefused({ code, message }: CallError): boolean {
  return code === status.unauthenticated || /invalid auth token|auth.*revision/.test(message)
}

export function isCompacted({ message }: CallError): boolean {
  return message.includes('required revision has been compacted')
}

const sentences: readonly [RegExp, StorageErrorCode][] = [
  [/database space exceeded/, 'NoSpace'],
  [/request is too large|larger than max/, 'TooLarge'],
  [/too many requests/, 'Overloaded'],
]

/** Storage error for an error of etcd. */
export function toStorageError(error: unknown, what: string): StorageError {
  if (error instanceof StorageError) return error
  const said = messageOf(error)
  const [, code = 'Unavailable'] = sentences.find(([pattern]) => pattern.test(said)) ?? []
  return new StorageError(code, `${what}: ${said}`, { cause: error })
}
