import { StatusError } from '../../meta/status.ts'
import { internalError } from '../../meta/statusErrors.ts'

/** Stored object that cannot be converted to the requested version. */
export interface UnreadableObject {
  /** Group, resource, namespace and name, joined by slashes. */
  path: string
  /** Revision that stored it. */
  revision: number
  /** Failure of its conversion. */
  error: StatusError
}

/** Error for a read of one object. Source: seen on kube-apiserver 1.37.2. */
export function unreadable(object: UnreadableObject): StatusError {
  return internalError(corruption(object, ''), object.error)
}

/** Error for a list. `count`: objects that cannot be converted. Source: seen on kube-apiserver 1.37.2. */
export function unreadableList(
  first: UnreadableObject,
  { count, resource }: { count: number; resource: string },
): StatusError {
  const more = count > 1 ? ` (and ${count - 1} more)` : ''
  const told = corruption(first, '/registry')
  const message = `failed to read one or more ${resource} from the storage: ${told}${more}`
  return new StatusError(500, 'StorageReadError', message, { cause: first.error })
}

function corruption({ path, revision, error }: UnreadableObject, root: string): string {
  const why = `object not decodable revision=${revision}: ${error.message}`
  return `StorageError: corrupt object, Code: 7, Key: ${root}/${path}, ResourceVersion: 0, AdditionalErrorMsg: ${why}`
}
