/**
 * The reason of a system error as a phrase that can end a sentence; undefined for other errors, and for codes without a
 * phrase here.
 */
export function systemReason(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string')
    return undefined
  return reasons[error.code]
}

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'it is in use by another process',
  EADDRNOTAVAIL: 'this machine does not have that address',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space is left on the disk',
  EDQUOT: 'the quota of the disk is used up',
  ENOENT: 'it does not exist',
  ENOTDIR: 'a part of the path is not a folder',
  EISDIR: 'it is a folder',
  EEXIST: 'it exists and is not a folder',
  ELOOP: 'its links lead in a circle',
  ENAMETOOLONG: 'the name is too long',
  EIO: 'the disk failed',
  EMFILE: 'too many files are open',
}

/** Reports whether the system reported that a file or folder does not exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
