import { StatusError } from '../meta/status.ts'
import {
  alreadyExists,
  conflict,
  expired,
  notFound,
  plainError,
  resourceVersionTooLarge,
  serviceUnavailable,
  staleObject,
  tooManyRequests,
} from '../meta/statusErrors.ts'
import type { GroupResource } from '../meta/types.ts'
import { StorageError } from '../storage/errors.ts'

/** The one crossing from storage errors to what a client sees. Other errors come back as they are. */
export function toStatusError(error: unknown, resource: GroupResource, name: string): unknown {
  if (!(error instanceof StorageError)) return error
  switch (error.code) {
    case 'KeyExists':
      return alreadyExists(resource, name)
    case 'KeyNotFound':
      return notFound(resource, name)
    case 'RevisionConflict':
      return conflict(resource, name, staleObject, error)
    case 'Overloaded':
      return tooManyRequests(
        'Too many requests: the write queue is full, please try again later.',
        1,
      )
    case 'Compacted':
      return expired('The resourceVersion for the provided list is too old.')
    case 'FutureRevision':
      return resourceVersionTooLarge(0, error.revision ?? 0, 1)
    case 'Unavailable':
      return serviceUnavailable(
        'storage cannot take writes at this time, please try again later.',
        1,
      )
    case 'Locked':
    case 'NewerFormat':
    case 'Corrupt':
      return plainError(error.message, error)
  }
}

/** Whether the write lost a race and may be tried again from the newest state. */
export function isRevisionConflict(error: unknown): boolean {
  return error instanceof StorageError && error.code === 'RevisionConflict'
}

/** Whether a create found the key taken. */
export function isAlreadyExists(error: unknown): boolean {
  if (error instanceof StatusError) return error.reason === 'AlreadyExists'
  return error instanceof StorageError && error.code === 'KeyExists'
}
