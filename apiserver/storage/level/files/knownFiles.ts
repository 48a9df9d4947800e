import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'

const fileName = 'db.files.json'

/** Size and checksum of a file when all of its own checksums were last verified. */
export interface KnownFile {
  size: number
  /** CRC-32 of the whole content: ten times as fast as its own checksums. */
  crc: number
}

/**
 * The known files of a database, by name. The record saves time and recognizes a file of another database; it is
 * rebuilt when it is lost or damaged.
 */
export type KnownFiles = Map<string, KnownFile>

export async function readKnownFiles(location: string): Promise<KnownFiles> {
  const text = await readFile(join(location, fileName), 'utf8').catch(() => '')
  const [, sum, lines = ''] = /^(\d+)\n(.+)\n$/.exec(text) ?? []
  if (Number(sum) !== crc32(lines)) return new Map()
  // The checksum proves that these lines were written by writeKnownFiles.
  return new Map(JSON.parse(lines) as [string, KnownFile][])
}

/** Writes the record without a sync: after a crash its checksum is wrong, or it is the previous one. */
export async function writeKnownFiles(location: string, known: KnownFiles): Promise<void> {
  const path = join(location, fileName)
  const lines = JSON.stringify([...known])
  await writeFile(`${path}.new`, `${crc32(lines)}\n${lines}\n`, { mode: 0o600 })
  await rename(`${path}.new`, path)
}

/** Removes the record before a new database is created, since file numbers start over. */
export async function forgetKnownFiles(location: string): Promise<void> {
  await rm(join(location, fileName), { force: true })
}
