import { createReadStream } from 'node:fs'
import { parseExact } from '../../meta/json/exactJson.ts'
import type { ApiObject } from '../../meta/types.ts'
import { readBackup } from '../../storage/backup/readBackup.ts'
import type { Sealing } from '../../storage/encryption/sealing.ts'
import type { StoredValue } from '../../storage/storage.ts'
import type { Progress } from '../backupProgress.ts'

/** Objects of a backup, read and verified as a whole at each call. */
export class BackupFile {
  readonly name: string
  readonly #sealing: Sealing
  readonly #newProgress: () => Progress

  constructor(name: string, sealing: Sealing, newProgress: () => Progress) {
    this.name = name
    this.#sealing = sealing
    this.#newProgress = newProgress
  }

  /** The selected objects in key order. @throws StartError, also for a fault after them; StorageError Sealed. */
  async objects(select: (key: string) => boolean): Promise<ApiObject[]> {
    const found: StoredValue[] = []
    const progress = this.#newProgress()
    const bytes = progress.counted(createReadStream(this.name))
    for await (const part of readBackup(bytes, this.name)) {
      progress.note(part)
      // Copied: the value is part of its block, which would stay in memory.
      if ('objects' in part)
        for (const one of part.objects)
          if (select(one.key)) found.push({ ...one, value: Buffer.from(one.value) })
    }
    await this.#sealing.prepare(found.map(({ value }) => value))
    return found.map(({ key, value }) => {
      // Sound: below the prefix of a plane there are API objects alone.
      return parseExact(this.#sealing.open(key, value).toString()) as ApiObject
    })
  }
}
