import { CliError, exitCodes } from './base/cliError.ts'
import type { Program } from './base/program.ts'

/** Converts an error to its form for users: describes system errors, and leaves others unchanged. */
export function describeFailure(thrown: unknown, program: Program): CliError {
  if (thrown instanceof CliError) {
    const hint = thrown.hint.replaceAll('$program', program.called)
    return new CliError(thrown.message, { code: thrown.code, hint, cause: thrown })
  }
  const { code, path, message } = thrown as NodeJS.ErrnoException
  const words = fileErrors[code ?? '']
  if (path !== undefined && words !== undefined)
    return new CliError(`${path}: ${words}`, { cause: thrown })
  return new CliError(message ?? String(thrown), { code: exitCodes.failed, cause: thrown })
}

const fileErrors: Readonly<Record<string, string>> = {
  EDQUOT: 'the quota of the disk is used up',
  EFBIG: 'the file would be too large',
  EACCES: 'permission denied',
  EEXIST: 'already exists',
  EISDIR: 'is a folder, not a file',
  ENOENT: 'no such file',
  ENOSPC: 'no space left on the disk',
  EROFS: 'the file system is read-only',
}
