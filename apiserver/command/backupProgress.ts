import type { Clock } from '../meta/clock.ts'
import { readBackup, type BackupPart } from '../storage/backup/readBackup.ts'

const everyMs = 1_000

export interface ProgressOutput {
  clock: Clock
  /** Writes one line. */
  writeProgress(text: string): void
}

/** Counts the parts of a backup, and writes a progress line for every second of work. */
export class Progress {
  readonly #output: ProgressOutput
  #writtenAt: number
  #bytes = 0
  #objects = 0
  #files = 0
  #revision = 0

  constructor(output: ProgressOutput) {
    this.#output = output
    this.#writtenAt = output.clock.now()
  }

  /** Passes chunks through and counts them. */
  async *counted(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      this.#bytes += piece.length
      yield piece
    }
  }

  /**
   * Passes chunks through and verifies them as a backup. The last chunks are only yielded once the
   * backup is known to be complete. @throws StartError.
   */
  async *verified(pieces: AsyncIterable<Buffer>, name: string): AsyncGenerator<Buffer> {
    const read: Buffer[] = []
    const kept = async function* (): AsyncGenerator<Buffer> {
      for await (const piece of pieces) {
        read.push(piece)
        yield piece
      }
    }
    for await (const part of readBackup(this.counted(kept()), name)) {
      this.note(part)
      yield* read.splice(0)
    }
    yield* read
  }

  note(part: BackupPart): void {
    if ('header' in part) this.#revision = part.header.revision
    if ('objects' in part) this.#objects += part.objects.length
    if ('file' in part) this.#files++
    const now = this.#output.clock.now()
    if (now - this.#writtenAt < everyMs) return
    this.#writtenAt = now
    this.#output.writeProgress(`${this.#objects} objects, ${this.#megabytes()}`)
  }

  summary(): string {
    const counts = `${this.#objects} objects and ${this.#files} files`
    return `${counts} at revision ${this.#revision} (${this.#megabytes()})`
  }

  #megabytes(): string {
    return `${(this.#bytes / 1e6).toFixed(1)} MB`
  }
}
