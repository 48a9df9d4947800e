import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isMissing } from '../../../runtime/systemReason.ts'
import { Crc32c } from './crc32c.ts'
import { fileNames } from './fileNames.ts'
import { readLogFile } from './logFile.ts'
import { readManifest } from './manifest.ts'
import { readTable } from './tableFile.ts'
import { readWriteBatch, type Entry } from './writeBatch.ts'

/**
 * The readable entries of a damaged database: the newest one of each key. Deletions in damaged parts are lost, so an
 * older entry of such a key may reappear. @throws the system's error.
 */
export async function readableEntries(folder: string): Promise<Map<string, Buffer>> {
  const newest = new Map<string, Entry>()
  for (const entry of await allEntries(folder)) {
    if (entry.sequence >= (newest.get(entry.key)?.sequence ?? 0)) newest.set(entry.key, entry)
  }
  return new Map(
    [...newest].flatMap(([key, { value }]): [string, Buffer][] => (value ? [[key, value]] : [])),
  )
}

async function allEntries(folder: string): Promise<Entry[]> {
  const crc32c = new Crc32c()
  const { tables, logs } = await filesToRead(folder, crc32c)
  const found: Entry[] = []
  for (const name of tables) {
    for (const entry of readTable(await readFile(join(folder, name)), crc32c).entries)
      found.push(entry)
  }
  for (const name of logs) {
    const { records, later } = readLogFile(await readFile(join(folder, name)), crc32c)
    for (const record of [...records, ...later]) found.push(...readWriteBatch(record))
  }
  return found
}

/** The files in the manifest; all files if it is damaged or names missing ones. */
async function filesToRead(
  folder: string,
  crc32c: Crc32c,
): Promise<{ tables: string[]; logs: string[] }> {
  const names = await fileNames(folder).catch((error: unknown) => {
    if (isMissing(error)) return undefined
    throw error
  })
  if (names === undefined) return { tables: [], logs: [] }
  const all = { tables: [...names.tables.values()], logs: [...names.logs.values()] }
  try {
    const manifest = await readFile(join(folder, names.manifest ?? ''))
    const { tables, logNumber } = readManifest(readLogFile(manifest, crc32c).records)
    const isWhole = [...tables.keys()].every((number) => names.tables.has(number))
    if (!isWhole || !names.logs.has(logNumber)) return all
    return {
      tables: [...names.tables].flatMap(([number, name]) => (tables.has(number) ? [name] : [])),
      logs: [...names.logs].flatMap(([number, name]) => (number >= logNumber ? [name] : [])),
    }
  } catch {
    return all
  }
}
