import { join } from 'node:path'
import { logReach } from '../format/records.ts'
import { changedSinceStop, isAsKnown, verified, type Check } from './check.ts'
import { nameOfNumber } from './fileNames.ts'
import { readLogFile, type LogContents } from './logFile.ts'
import type { Manifest } from './manifest.ts'
import { readTable } from './tableFile.ts'
import { WholeFile } from './wholeFile.ts'
import { readWriteBatch } from './writeBatch.ts'

interface ReadLog {
  path: string
  contents: LogContents
  isEmpty: boolean
}

/**
 * Checks that every log in use exists and is intact. Only the last one may end in a partial record, which a crash
 * leaves of a write that was not acknowledged; all acknowledged writes must precede it.
 */
export async function checkLogs(check: Check, manifest: Manifest): Promise<void> {
  const { folder, names, problems } = check
  if (!names.logs.has(manifest.logNumber)) {
    const path = join(folder, nameOfNumber(manifest.logNumber, 'log'))
    problems.push(`${path}, which ${names.manifest} names, is missing`)
  }
  const numbers = [...names.logs.keys()].filter((number) => number >= manifest.logNumber)
  const logs: ReadLog[] = []
  for (const number of numbers.sort((a, b) => a - b)) {
    const log = await readOne(check, names.logs.get(number) ?? '')
    if (log !== undefined) logs.push(log)
  }
  if (problems.length === 0) await checkEnd(check, manifest, logs)
}

/** Reads a log. Undefined: unchanged since the last stop, which needs no check. */
async function readOne(check: Check, name: string): Promise<ReadLog | undefined> {
  const path = join(check.folder, name)
  const bytes = await new WholeFile().read(path)
  if (isAsKnown(check, name, bytes)) return undefined
  const contents = readLogFile(bytes, check.crc32c)
  if (check.known.has(name)) check.problems.push(`${path} ${changeOf(contents)}`)
  else if (contents.faultAt === undefined) verified(check, name, bytes)
  return { path, contents, isEmpty: bytes.length === 0 }
}

function changeOf({ faultAt }: LogContents): string {
  return faultAt === undefined ? changedSinceStop : `is damaged at byte ${faultAt}`
}

async function checkEnd(check: Check, manifest: Manifest, logs: ReadLog[]): Promise<void> {
  const last = logs.findLast(({ isEmpty }) => !isEmpty)
  for (const { path, contents } of logs) {
    const { faultAt, later } = contents
    if (faultAt !== undefined && (path !== last?.path || later.length > 0))
      check.problems.push(`${path} is damaged at byte ${faultAt}`)
  }
  if (check.problems.length > 0 || last === undefined) return
  const inLogs = reachOf(logs.flatMap(({ contents }) => contents.records).flatMap(readWriteBatch))
  // Without a fault LevelDB discards nothing, and the content is verified after it was read.
  if (inLogs === 0 && last.contents.faultAt === undefined) return
  checkReach(check, last, inLogs > 0 ? inLogs : await reachOfTables(check, manifest))
}

function checkReach(check: Check, { path, contents }: ReadLog, reach: number): void {
  if (reach >= check.acknowledged) return
  const { faultAt } = contents
  const what = faultAt === undefined ? 'was cut' : `is damaged at byte ${faultAt}`
  const end = `it ends at revision ${reach}, but ${check.acknowledged} was acknowledged`
  check.problems.push(`${path} ${what}: ${end}`)
}

async function reachOfTables(check: Check, { tables }: Manifest): Promise<number> {
  let reach = 0
  const file = new WholeFile()
  for (const number of tables.keys()) {
    const bytes = await file.read(join(check.folder, check.names.tables.get(number) ?? ''))
    reach = Math.max(reach, reachOf(readTable(bytes, check.crc32c).entries))
  }
  return reach
}

/** Highest revision in the records of the storage's own log; 0: no records. */
function reachOf(entries: readonly { key: string; value: Buffer | undefined }[]): number {
  return entries.reduce((most, { key, value }) => Math.max(most, logReach(key, value)), 0)
}
