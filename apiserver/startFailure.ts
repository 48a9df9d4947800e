import { StartError } from './startError.ts'
import { StorageError } from './storage/errors.ts'

/** One sentence for the operator about why the server did not start. */
export function describeStartFailure(error: unknown): string {
  if (error instanceof StartError || error instanceof StorageError) return error.message
  if (!(error instanceof Error)) return `unexpected failure: ${String(error)}`
  return describeSystemError(error) ?? `unexpected failure: ${error.message}`
}

/** What Node's system errors say, in words; undefined for any other error. */
function describeSystemError(error: NodeJS.ErrnoException): string | undefined {
  const what = error.code === undefined ? undefined : meanings[error.code]
  if (what === undefined) return undefined
  if (error.syscall === 'listen' || error.syscall === 'bind') {
    return `cannot listen on ${listenTarget(error)}: ${what}`
  }
  return error.path === undefined ? undefined : `cannot use ${error.path}: ${what}`
}

function listenTarget(error: Error & { address?: unknown; port?: unknown }): string {
  const port = typeof error.port === 'number' ? ` port ${error.port}` : ''
  return `address ${String(error.address)}${port}`
}

const meanings: Readonly<Record<string, string>> = {
  EADDRINUSE: 'it is in use by another process',
  EADDRNOTAVAIL: 'this machine does not have that address',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space is left on the disk',
  ENOENT: 'it does not exist',
  ENOTDIR: 'a part of the path is not a folder',
  EISDIR: 'it is a folder',
  EEXIST: 'it exists and is not a folder',
  EMFILE: 'too many files are open',
}
