import { createReadStream } from 'node:fs'
import { parseExact } from '../../meta/json/exactJson.ts'
import type { ApiObject } from '../../meta/types.ts'
import { readBackup } from '../../storage/backup/readBackup.ts'
import type { Sealing } from '../../storage/encryption/sealing.ts'
import type { StoredValue } from '../../storage/storage.ts'
import type { Progress } from '../backupProgress.ts'

/** Objects of a backup. Every call reads and verifies the whole backup. */
export class BackupFile {
  readonly name: string
  readonly #sealing: Sealing
  readonly #newProgress: () => Progress

  constructor(name: string, sealing: Sealing, newProgress: () => Progress) {
    this.name = name
    this.#sealing = sealing
    this.#newProgress = newProgress
  }

  /**
   * Selected objects in key order. @throws StartError, even for damage after them; StorageError
   * Sealed.
   */
  async objects(select: (key: string) => boolean): Promise<ApiObject[]> {
    const found: StoredValue[] = []
    const progress = this.#newProgress()
    const bytes = progress.counted(createReadStream(this.name))
    for await (const part of readBackup(bytes, this.name)) {
      progress.note(part)
      // Copied, since the value would keep its whole block in memory.
      if ('objects' in part)
        for (const one of part.objects)
          if (select(one.key)) found.push({ ...one, value: Buffer.from(one.value) })
    }
    await this.#sealing.prepare(found.map(({ value }) => value))
    return found.map(({ key, value }) => {
      // Only API objects are stored below the prefix of a plane.
      return parseExact(this.#sealing.open(key, value).toString()) as ApiObject
    })
  }
}
