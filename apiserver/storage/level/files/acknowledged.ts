import { writeSync } from 'node:fs'
import { open, readFile, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { Clock, Timer } from '../../../meta/clock.ts'
import { isMissing } from '../../../runtime/systemReason.ts'
import { StorageError } from '../../errors.ts'
import { cannotRead } from './formatMarker.ts'

/** The state that was acknowledged to writers as durable. */
export interface Acknowledged {
  revision: number
  /** The chain of the log at that revision; undefined: unknown. */
  chain: number | undefined
}

export const nothingAcknowledged: Acknowledged = { revision: 0, chain: undefined }

const fileName = 'acknowledged'
const form = /^(revision (\d{16}) chain ([0-9a-f]{8})) checksum ([0-9a-f]{8})\n$/
const syncEveryMs = 1000

/**
 * Reads the acknowledged state of a folder. `isPromised`: according to the format marker, the file
 * exists; without that promise a missing or incomplete file, left by an interrupted first start,
 * counts as absent.
 * @throws StorageError Corrupt, Unavailable.
 */
export async function readAcknowledged(
  location: string,
  isPromised: boolean,
): Promise<Acknowledged> {
  const path = join(location, fileName)
  const text = await readFile(path, 'latin1').catch((error: unknown) => {
    if (isMissing(error)) return undefined
    throw new StorageError('Unavailable', cannotRead(path, error), { cause: error })
  })
  const found = text === undefined ? undefined : decode(text)
  if (found !== undefined) return found
  if (!isPromised) return nothingAcknowledged
  const what = text === undefined ? 'is missing' : 'is damaged'
  const message = `${path} ${what}: without it nobody can say whether every acknowledged write is there`
  throw new StorageError('Corrupt', message)
}

/**
 * A file with the newest acknowledged revision. It is written before the writers are notified, into the system's cache:
 * that survives the end of the process, and costs no second sync per commit. A sync follows within a second, so a power
 * failure may set the file back by that much, never forward. It is one line of fixed length, so that a write needs no
 * space and is never partial.
 */
export class AcknowledgedFile {
  readonly #file: FileHandle
  readonly #clock: Clock
  readonly #onFailure: (error: unknown) => void
  #timer: Timer | undefined
  #syncing: Promise<void> | undefined
  #isDirty = false

  /** Opens or creates the file. `onFailure` is called when a sync fails. */
  static async open(
    location: string,
    clock: Clock,
    onFailure: (error: unknown) => void,
  ): Promise<AcknowledgedFile> {
    const path = join(location, fileName)
    const file = await open(path, 'r+').catch((error: unknown) => {
      if (isMissing(error)) return open(path, 'w+', 0o600)
      throw error
    })
    return new AcknowledgedFile(file, clock, onFailure)
  }

  private constructor(file: FileHandle, clock: Clock, onFailure: (error: unknown) => void) {
    this.#file = file
    this.#clock = clock
    this.#onFailure = onFailure
  }

  /** @throws the system's error. */
  advance(revision: number, chain: number): void {
    // Synchronous: a thread round trip takes longer than the write.
    writeSync(this.#file.fd, encode(revision, chain), 0, 'latin1')
    this.#isDirty = true
    this.#timer ??= this.#clock.setTimer(() => {
      this.#timer = undefined
      this.#syncing = this.sync().catch(this.#onFailure)
    }, syncEveryMs)
  }

  /** Resolves when the content is durable. */
  async sync(): Promise<void> {
    if (!this.#isDirty) return
    this.#isDirty = false
    await this.#file.datasync()
  }

  async close(): Promise<void> {
    this.#timer?.cancel()
    await this.#syncing
    try {
      await this.sync()
    } finally {
      await this.#file.close()
    }
  }
}

/** Creates the file of a folder without writes; durable except for the folder entry. */
export async function createAcknowledged(location: string): Promise<void> {
  await writeAcknowledged(location, 0, 0)
}

/** Replaces the file's content; durable except for the folder entry. */
export async function writeAcknowledged(
  location: string,
  revision: number,
  chain: number,
): Promise<void> {
  const file = await open(join(location, fileName), 'w', 0o600)
  try {
    writeSync(file.fd, encode(revision, chain), 0, 'latin1')
    await file.sync()
  } finally {
    await file.close()
  }
}

function encode(revision: number, chain: number): string {
  const said = `revision ${String(revision).padStart(16, '0')} chain ${hexadecimal(chain)}`
  return `${said} checksum ${hexadecimal(crc32(said))}\n`
}

function decode(text: string): Acknowledged | undefined {
  const [, said = '', revision, chain = '', checksum] = form.exec(text) ?? []
  if (checksum !== hexadecimal(crc32(said))) return undefined
  return { revision: Number(revision), chain: parseInt(chain, 16) }
}

function hexadecimal(value: number): string {
  return value.toString(16).padStart(8, '0')
}
