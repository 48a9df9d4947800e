import type { Clock } from '../../meta/clock.ts'
import type { LedPart, Leadership } from '../../runtime/leadership.ts'
import type { Logger } from '../../runtime/logging.ts'
import type { ServerOptions } from '../../runtime/options/serverOptions.ts'
import type { Sealing } from '../../storage/encryption/sealing.ts'
import type { Storage, StoredValue } from '../../storage/storage.ts'
import { keyFilesOf } from './keyFilesOf.ts'
import { liveBackup } from './liveBackup.ts'
import { noBackups, ScheduledBackups, type BackupCounts } from './scheduledBackups.ts'

interface StartParts {
  storage: Storage
  replicas: { leadership: Leadership }
  log: Logger
}

/** Backups of a running server: requested ones, and scheduled ones while it leads. */
export class OwnBackups {
  /** Results of the scheduled backups. */
  readonly counts: BackupCounts = noBackups()
  readonly #options: Pick<ServerOptions, 'backup' | 'dataDir' | 'names'>
  readonly #clock: Clock
  readonly #sealing: () => Sealing | undefined
  #led: LedPart<ScheduledBackups> | undefined

  constructor(
    options: Pick<ServerOptions, 'backup' | 'dataDir' | 'names'>,
    { clock }: { clock: Clock },
    sealing: () => Sealing | undefined,
  ) {
    this.#options = options
    this.#clock = clock
    this.#sealing = sealing
  }

  /** A backup of the newest state, without keys, which the API never shows. */
  now(storage: Storage): Promise<AsyncIterable<Buffer>> {
    const { names } = this.#options
    return liveBackup(storage, { clock: this.#clock, names, sealing: this.#sealing() })
  }

  async start({ storage, replicas, log }: StartParts): Promise<void> {
    const { counts } = this
    const clock = this.#clock
    const { backup, dataDir, names } = this.#options
    const { folder } = backup
    if (folder === undefined) return
    const sealing = this.#sealing()
    const files = (items: readonly StoredValue[]) =>
      keyFilesOf(dataDir, items, sealing !== undefined)
    const begin = () => liveBackup(storage, { clock, names, sealing, files })
    const options = { ...backup, folder, clock, log, counts, backup: begin }
    this.#led = await replicas.leadership.lead(() => new ScheduledBackups(options))
  }

  /** Aborts a running backup; resolves when its unfinished file is removed. */
  async stop(): Promise<void> {
    const running = this.#led?.current
    this.#led?.stop()
    await running?.idle()
  }
}
