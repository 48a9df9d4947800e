import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'

const fileName = 'db.files.json'

/** What a file held when all of its own checksums were last verified. */
export interface KnownFile {
  size: number
  /** CRC-32 of everything in it: ten times as fast as its own checksums. */
  crc: number
}

/** What is known of the files of a database, by name. It only saves time, and tells a file from one of another database;
 *  so it is rebuilt when it is lost or damaged. */
export type KnownFiles = Map<string, KnownFile>

export async function readKnownFiles(location: string): Promise<KnownFiles> {
  const text = await readFile(join(location, fileName), 'utf8').catch(() => '')
  const [, sum, lines = ''] = /^(\d+)\n(.+)\n$/.exec(text) ?? []
  if (Number(sum) !== crc32(lines)) return new Map()
  // Its checksum says that it is what was written below.
  return new Map(JSON.parse(lines) as [string, KnownFile][])
}

/** Not synced: what a crash leaves of it fails its checksum, or is what was there before. */
export async function writeKnownFiles(location: string, known: KnownFiles): Promise<void> {
  const path = join(location, fileName)
  const lines = JSON.stringify([...known])
  await writeFile(`${path}.new`, `${crc32(lines)}\n${lines}\n`, { mode: 0o600 })
  await rename(`${path}.new`, path)
}

/** For a database that is made anew: it numbers its files from the start. */
export async function forgetKnownFiles(location: string): Promise<void> {
  await rm(join(location, fileName), { force: true })
}
