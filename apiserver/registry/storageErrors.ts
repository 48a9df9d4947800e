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
import { StorageError, type StorageErrorCode } from '../storage/errors.ts'

type Translate = (error: StorageError, resource: GroupResource, name: string) => unknown

const asItIs: Translate = (error) => plainError(error.message, error)

const translations: Readonly<Record<StorageErrorCode, Translate>> = {
  KeyExists: (_error, resource, name) => alreadyExists(resource, name),
  KeyNotFound: (_error, resource, name) => notFound(resource, name),
  RevisionConflict: (error, resource, name) => conflict(resource, name, staleObject, error),
  // Clients match this message.
  TooLarge: (error) => plainError('etcdserver: request is too large', error),
  // The wording of etcd.
  NoSpace: (error) => plainError('etcdserver: mvcc: database space exceeded', error),
  Overloaded: () =>
    tooManyRequests('Too many requests: the write queue is full, please try again later.', 1),
  Compacted: () => expired('The resourceVersion for the provided list is too old.'),
  FutureRevision: ({ revision }) => resourceVersionTooLarge(0, revision ?? 0, 1),
  Unavailable: () =>
    serviceUnavailable('storage cannot take writes at this time, please try again later.', 1),
  Locked: asItIs,
  NewerFormat: asItIs,
  OlderFormat: asItIs,
  OtherIdentity: asItIs,
  Corrupt: asItIs,
  Sealed: asItIs,
  Restored: asItIs,
}

/** Converts storage errors to errors for clients; the only place that does so. Other errors are returned unchanged. */
export function toStatusError(error: unknown, resource: GroupResource, name: string): unknown {
  return error instanceof StorageError ? translations[error.code](error, resource, name) : error
}

/** Reports whether the write lost a race and may be retried from the newest state. */
export function isRevisionConflict(error: unknown): boolean {
  return error instanceof StorageError && error.code === 'RevisionConflict'
}

/** Reports whether a create failed because the key exists. */
export function isAlreadyExists(error: unknown): boolean {
  if (error instanceof StatusError) return error.reason === 'AlreadyExists'
  return error instanceof StorageError && error.code === 'KeyExists'
}
