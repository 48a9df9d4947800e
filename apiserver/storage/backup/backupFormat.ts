import { crc32 } from 'node:zlib'
import { StartError } from '../../runtime/startError.ts'

/**
 * The format of a backup: a mark, then blocks. Numbers are big-endian.
 *
 *     mark      "platform-backup\n"
 *     block     crc u32 · type u8 · packed length u32 · length u32 · content, packed with deflate
 *               the CRC-32 covers everything after it
 *     header    JSON, the first block: see `BackupHeader`
 *     objects   any number × (key length u32 · value length u32 · revision u48 · key · value), in key
 *               order
 *     file      path length u32 · path · content: a file of the data folder
 *     end       JSON, the last block: numbers of objects and files, and the SHA-256 of every byte
 *               before the block
 *
 * The checksum of a block locates damage; the end reveals missing, repeated and reordered blocks.
 */
export const backupFormat = 1
export const backupMark = Buffer.from('platform-backup\n')
export const blockHead = 13
export const objectHead = 14
/** Maximum bytes of a block, packed or not: a larger length is damage, and must not allocate memory. */
export const maxBlockBytes = 256 * 1024 * 1024

export const blockTypes = { header: 1, objects: 2, file: 3, end: 4 } as const

/** The first block of a backup. */
export interface BackupHeader {
  format: number
  /** Version of the server that wrote it. */
  serverVersion: string
  /** The revision at which the objects are consistent. */
  revision: number
  /** Milliseconds since the epoch. */
  createdMs: number
  /** Settings that keys and values depend on: see `FolderIdentity`. */
  identity: Readonly<Record<string, string>>
}

/** The last block of a backup. */
export interface BackupEnd {
  objects: number
  files: number
  sha256: string
}

/** A file of the data folder. */
export interface BackedUpFile {
  /** Relative path, with slashes. */
  path: string
  content: Buffer
}

/** Checksum of a block without its first four bytes. */
export function blockChecksum(head: Buffer, packed: Buffer): number {
  return crc32(packed, crc32(head.subarray(4)))
}

/** Error with the first defect of a backup. */
export function damaged(name: string, what: string, cause?: unknown): StartError {
  return new StartError(`${name} is damaged: ${what}`, cause)
}
