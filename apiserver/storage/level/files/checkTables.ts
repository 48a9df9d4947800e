import { join } from 'node:path'
import { changedSinceStop, isAsKnown, verified, type Check } from './check.ts'
import { nameOfNumber } from './fileNames.ts'
import type { Manifest } from './manifest.ts'
import { tableFault } from './tableFile.ts'
import { WholeFile } from './wholeFile.ts'

/** Files read concurrently: one is verified while others are read from disk. */
const lanes = 3

/** Checks that every table in the manifest exists, is intact and is the one that was written. */
export async function checkTables(check: Check, { tables }: Manifest): Promise<void> {
  const left = tables.entries()
  const lane = async () => {
    const file = new WholeFile()
    for (const [number, size] of left) await checkTable(check, { number, size }, file)
  }
  await Promise.all(Array.from({ length: Math.min(lanes, tables.size) }, lane))
}

async function checkTable(
  check: Check,
  { number, size }: { number: number; size: number },
  file: WholeFile,
): Promise<void> {
  const name = check.names.tables.get(number)
  if (name === undefined) {
    const path = join(check.folder, nameOfNumber(number, 'ldb'))
    check.problems.push(`${path}, which ${check.names.manifest} names, is missing`)
    return
  }
  const bytes = await file.read(join(check.folder, name))
  const problem = tableProblem(check, { name, bytes, size })
  if (problem !== undefined) check.problems.push(`${join(check.folder, name)} ${problem}`)
}

function tableProblem(
  check: Check,
  { name, bytes, size }: { name: string; bytes: Buffer; size: number },
): string | undefined {
  if (bytes.length !== size) return `has ${bytes.length} bytes, not the ${size} that were written`
  if (isAsKnown(check, name, bytes)) return undefined
  const fault = tableFault(bytes, check.crc32c)
  if (fault !== undefined) return `is damaged at byte ${fault}`
  if (check.known.has(name)) return changedSinceStop
  verified(check, name, bytes)
  return undefined
}
