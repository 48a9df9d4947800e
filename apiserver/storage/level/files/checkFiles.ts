import { join } from 'node:path'
import { isMissing } from '../../../runtime/systemReason.ts'
import { changedSinceStop, isAsKnown, verified, type Check, type FilesToCheck } from './check.ts'
import { checkLogs } from './checkLogs.ts'
import { checkTables } from './checkTables.ts'
import { Crc32c } from './crc32c.ts'
import { fileNames } from './fileNames.ts'
import { readLogFile } from './logFile.ts'
import { readManifest, type Manifest } from './manifest.ts'
import { WholeFile } from './wholeFile.ts'

/**
 * Verifies every file of a database before LevelDB opens it: LevelDB drops damaged parts of a log, deletes the log,
 * forgets files missing from the manifest, and crashes the process at some damaged tables. Only damage that a crash may
 * cause to a write that was never acknowledged is accepted. Writes nothing. @throws the system's error for a file that
 * cannot be read.
 */
export async function checkFiles(files: FilesToCheck): Promise<Check> {
  const names = await fileNames(files.folder)
  const check: Check = {
    ...files,
    names,
    crc32c: new Crc32c(),
    problems: [],
    verified: new Map(),
  }
  const manifest = await checkManifest(check)
  if (manifest === undefined) return check
  await checkTables(check, manifest)
  await checkLogs(check, manifest)
  return check
}

/** Manifest named in CURRENT; undefined: one of the two is damaged. */
async function checkManifest(check: Check): Promise<Manifest | undefined> {
  const { folder, names, problems } = check
  const current = join(folder, 'CURRENT')
  if (names.manifest === undefined) {
    problems.push(`${current} is damaged: it does not name a manifest`)
    return undefined
  }
  const path = join(folder, names.manifest)
  try {
    const bytes = await new WholeFile().read(path)
    const problem = manifestProblem(check, names.manifest, bytes)
    if (problem === undefined) return readManifest(readLogFile(bytes, check.crc32c).records)
    problems.push(`${path} ${problem}`)
  } catch (error) {
    if (isMissing(error)) problems.push(`${path}, which ${current} names, is missing`)
    else if (error instanceof RangeError) problems.push(`${path} is damaged: ${error.message}`)
    else throw error
  }
  return undefined
}

/**
 * Checks a manifest. A crash may leave a partial record at its end; files that the record named are then reported as
 * missing.
 */
function manifestProblem(check: Check, name: string, bytes: Buffer): string | undefined {
  if (isAsKnown(check, name, bytes)) return undefined
  const { faultAt, later } = readLogFile(bytes, check.crc32c)
  if (faultAt !== undefined && (later.length > 0 || check.known.has(name)))
    return `is damaged at byte ${faultAt}`
  if (check.known.has(name)) return changedSinceStop
  if (faultAt === undefined) verified(check, name, bytes)
  return undefined
}
