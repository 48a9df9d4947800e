import { StartError } from '../runtime/startError.ts'
import { StorageError } from '../storage/errors.ts'
import { systemReason } from '../runtime/systemReason.ts'

/** A sentence that tells the operator why the server did not start. */
export function describeStartFailure(error: unknown): string {
  if (error instanceof StorageError && error.code === 'Corrupt')
    return `${error.message}; ${advice}`
  if (error instanceof StartError || error instanceof StorageError) return error.message
  if (!(error instanceof Error)) return `unexpected failure: ${String(error)}`
  return describeSystemError(error) ?? `unexpected failure: ${error.message}`
}

const advice =
  'restore the whole data folder from a backup, or start with --accept-data-loss to go on with what can be read'

/** The cause of a failed start. An error of the storage takes precedence over later errors. */
export function startFailure(error: unknown, storage: { ready(): void } | undefined): unknown {
  try {
    storage?.ready()
  } catch (failure) {
    return failure
  }
  return error
}

/** Description of a Node.js system error; undefined for any other error. */
function describeSystemError(error: NodeJS.ErrnoException): string | undefined {
  const reason = systemReason(error)
  if (reason === undefined) return undefined
  if (error.syscall === 'listen' || error.syscall === 'bind') {
    return `cannot listen on ${listenTarget(error)}: ${reason}`
  }
  if (error.syscall === 'mkdir') return cannotMake(error, reason)
  return error.path === undefined ? undefined : `cannot use ${error.path}: ${reason}`
}

/**
 * Message for a folder that could not be created. ENOENT for a new folder means that the file
 * system does not support folders.
 */
function cannotMake({ code, path }: NodeJS.ErrnoException, reason: string): string {
  const why = code === 'ENOENT' ? 'folders cannot be made there' : reason
  return `cannot make the folder ${path ?? ''}: ${why}`
}

function listenTarget(error: Error & { address?: unknown; port?: unknown }): string {
  const port = typeof error.port === 'number' ? ` port ${error.port}` : ''
  return `address ${String(error.address)}${port}`
}
