import { crc32 } from 'node:zlib'
import type { Crc32c } from './crc32c.ts'
import type { FileNames } from './fileNames.ts'
import type { KnownFile, KnownFiles } from './knownFiles.ts'

export interface FilesToCheck {
  /** The folder of LevelDB's files. */
  folder: string
  known: KnownFiles
  /** The newest revision known to be acknowledged. */
  acknowledged: number
}

/** The findings so far. */
export interface Check extends FilesToCheck {
  crc32c: Crc32c
  names: FileNames
  /** Messages, one per damaged or missing file, without a full stop. */
  problems: string[]
  verified: KnownFiles
}

/** Reports whether a file is known and unchanged. */
export function isAsKnown(check: Check, name: string, bytes: Buffer): boolean {
  const found: KnownFile = { size: bytes.length, crc: crc32(bytes) }
  const was = check.known.get(name)
  if (was === undefined || was.size !== found.size || was.crc !== found.crc) return false
  check.verified.set(name, found)
  return true
}

/** Records a file after its own checksums were verified. */
export function verified(check: Check, name: string, bytes: Buffer): void {
  check.verified.set(name, { size: bytes.length, crc: crc32(bytes) })
}

/** The problem of a file that is intact but not the expected one. */
export const changedSinceStop = 'is not the file that db.files.json says was left here'
