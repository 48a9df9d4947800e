import { crc32 } from 'node:zlib'
import type { Crc32c } from './crc32c.ts'
import type { FileNames } from './fileNames.ts'
import type { KnownFile, KnownFiles } from './knownFiles.ts'

export interface FilesToCheck {
  /** Where LevelDB's files are. */
  folder: string
  known: KnownFiles
  /** The newest revision that was acknowledged, as far as it is known. */
  acknowledged: number
}

/** What has been found so far. */
export interface Check extends FilesToCheck {
  crc32c: Crc32c
  names: FileNames
  /** A sentence for each file that is damaged or missing, without its full stop. */
  problems: string[]
  /** What was verified. */
  verified: KnownFiles
}

/** Whether a file is known and unchanged. */
export function isAsKnown(check: Check, name: string, bytes: Buffer): boolean {
  const found: KnownFile = { size: bytes.length, crc: crc32(bytes) }
  const was = check.known.get(name)
  if (was === undefined || was.size !== found.size || was.crc !== found.crc) return false
  check.verified.set(name, found)
  return true
}

/** Notes that its own checksums were verified. */
export function verified(check: Check, name: string, bytes: Buffer): void {
  check.verified.set(name, { size: bytes.length, crc: crc32(bytes) })
}

/** Of a file that is whole in itself and yet another one. */
export const changedSinceStop = 'is not the file that db.files.json says was left here'
