import { join } from 'node:path'
import { checkFiles } from './checkFiles.ts'
import { readKnownFiles, writeKnownFiles } from './knownFiles.ts'

/** Verifies the files of a database that was closed and remembers them, so that the next start recognises them and sees
 *  whether one is another. What is not whole is not remembered. @throws the system's error. */
export async function recordFiles(location: string): Promise<void> {
  const known = await readKnownFiles(location)
  const folder = join(location, 'db')
  const { verified } = await checkFiles({ folder, known, acknowledged: 0 })
  await writeKnownFiles(location, verified)
}
