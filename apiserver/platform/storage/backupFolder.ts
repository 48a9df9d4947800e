import { createReadStream } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../../runtime/files/makeFolder.ts'
import { writeNewFile } from '../../runtime/files/newFile.ts'
import { readBackup } from '../../storage/backup/readBackup.ts'

/** Complete backup in a folder. */
export interface KeptBackup {
  path: string
  /** Milliseconds since the epoch, in whole seconds. */
  madeMs: number
}

const finished = /^backup-(\d{4})-(\d\d)-(\d\d)T(\d\d)-(\d\d)-(\d\d)Z$/
/** Incomplete files, which only a killed process leaves behind. */
const unfinished = /^\.backup-[\dTZ-]+\.partial$/

/** Folder of backups with the time of each in its name. Other files in it are not changed. */
export class BackupFolder {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Complete backups, oldest first. @throws the system's error. */
  async kept(): Promise<KeptBackup[]> {
    await makeFolder(this.#folder, 0o700)
    const names = await readdir(this.#folder)
    return names.toSorted().flatMap((name) => {
      const [, year, month, day, hour, minute, second] = finished.exec(name) ?? []
      if (year === undefined) return []
      const madeMs = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
      return [{ path: join(this.#folder, name), madeMs }]
    })
  }

  /**
   * Writes a backup, verifies it on disk, and then renames it to its final name. Returns its size in bytes.
   * @throws StartError, the error of `pieces` or of the system, after which no file is left.
   */
  async add(madeMs: number, pieces: AsyncIterable<Buffer>): Promise<number> {
    await this.#removeUnfinished()
    const time = new Date(madeMs).toISOString().slice(0, 19).replaceAll(':', '-')
    const name = `backup-${time}Z`
    const path = join(this.#folder, name)
    const partial = join(this.#folder, `.${name}.partial`)
    await writeNewFile(path, pieces, { partial, check: verify })
    return (await stat(path)).size
  }

  /** Removes all backups except the newest ones. @throws the system's error. */
  async keepNewest(count: number): Promise<void> {
    const kept = await this.kept()
    for (const { path } of kept.slice(0, Math.max(0, kept.length - count))) await rm(path)
  }

  async #removeUnfinished(): Promise<void> {
    for (const name of await readdir(this.#folder))
      if (unfinished.test(name)) await rm(join(this.#folder, name), { force: true })
  }
}

/** Verifies a backup. @throws StartError with the first defect. */
async function verify(partial: string): Promise<void> {
  const parts = readBackup(createReadStream(partial), partial)
  while ((await parts.next()).done !== true);
}
