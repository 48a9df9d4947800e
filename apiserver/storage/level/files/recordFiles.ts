import { join } from 'node:path'
import { checkFiles } from './checkFiles.ts'
import { readKnownFiles, writeKnownFiles } from './knownFiles.ts'

/**
 * Verifies and records the files of a closed database, so that the next start recognizes them and notices a replaced
 * one. Damaged files are not recorded. @throws the system's error.
 */
export async function recordFiles(location: string): Promise<void> {
  const known = await readKnownFiles(location)
  const folder = join(location, 'db')
  const { verified } = await checkFiles({ folder, known, acknowledged: 0 })
  await writeKnownFiles(location, verified)
}
