import type { Clock, Timer } from '../../meta/clock.ts'
import type { BackupSchedule } from '../../runtime/options/backupSchedule.ts'
import type { Part } from '../../runtime/leadership.ts'
import { secondsSince, type Logger } from '../../runtime/logging.ts'
import { BackupFolder } from './backupFolder.ts'

/** Results of the backups of this process, and the newest backup found. */
export interface BackupCounts {
  /** Milliseconds since the epoch; undefined: none yet. */
  lastSuccessMs: number | undefined
  /** Size of the newest backup of this process; undefined: none yet. */
  lastBytes: number | undefined
  failures: number
}

export function noBackups(): BackupCounts {
  return { lastSuccessMs: undefined, lastBytes: undefined, failures: 0 }
}

export interface ScheduledBackupsOptions extends Omit<BackupSchedule, 'folder'> {
  folder: string
  clock: Clock
  log: Logger
  /** Updated in place; it outlives one leadership. */
  counts: BackupCounts
  /** Starts a backup of the newest state. */
  backup: () => Promise<AsyncIterable<Buffer>>
}

/** Time until the next attempt after a failure, unless the next backup is due earlier. */
const againMs = 300_000

/**
 * Backups at an interval, which is counted from the newest one in the folder, so that neither a restart nor another
 * leader shifts it. Only one runs at a time.
 */
export class ScheduledBackups implements Part {
  readonly #options: ScheduledBackupsOptions
  readonly #folder: BackupFolder
  readonly #stopped = new AbortController()
  #timer: Timer | undefined
  /** Resolves when nothing runs. */
  #running: Promise<void>

  constructor(options: ScheduledBackupsOptions) {
    this.#options = options
    this.#folder = new BackupFolder(options.folder)
    this.#running = this.#begin()
  }

  /** Aborts a running backup. */
  stop(): void {
    this.#stopped.abort()
    this.#timer?.cancel()
  }

  /** Resolves when no backup is running and its incomplete file is removed. */
  idle(): Promise<void> {
    return this.#running
  }

  async #begin(): Promise<void> {
    const { clock, intervalMs, counts } = this.#options
    try {
      const newest = (await this.#folder.kept()).at(-1)
      counts.lastSuccessMs ??= newest?.madeMs
      const due = newest === undefined ? clock.now() : newest.madeMs + intervalMs
      this.#arm(Math.min(due - clock.now(), intervalMs))
    } catch (error) {
      this.#failed(error)
    }
  }

  #arm(delayMs: number): void {
    if (this.#stopped.signal.aborted) return
    const run = () => {
      this.#running = this.#run()
    }
    this.#timer = this.#options.clock.setTimer(run, Math.max(0, delayMs))
  }

  async #run(): Promise<void> {
    const { clock, log, intervalMs, keep, counts, folder } = this.#options
    const began = performance.now()
    const madeMs = clock.now()
    try {
      await this.#folder.kept() // creates the folder
      const bytes = await this.#folder.add(madeMs, this.#pieces())
      counts.lastSuccessMs = madeMs
      counts.lastBytes = bytes
      log.info({ folder, bytes, seconds: secondsSince(began) }, 'backup created')
      await this.#folder.keepNewest(keep)
      this.#arm(madeMs + intervalMs - clock.now())
    } catch (error) {
      this.#failed(error)
    }
  }

  async *#pieces(): AsyncGenerator<Buffer> {
    for await (const piece of await this.#options.backup()) {
      this.#stopped.signal.throwIfAborted()
      yield piece
    }
    this.#stopped.signal.throwIfAborted()
  }

  #failed(err: unknown): void {
    if (this.#stopped.signal.aborted) return
    const { log, folder, counts, intervalMs } = this.#options
    counts.failures++
    log.error({ err, folder }, 'backup failed; retrying')
    this.#arm(Math.min(againMs, intervalMs))
  }
}
