import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  LevelStorage,
  type LevelStorageOptions,
} from '../../../apiserver/storage/level/levelStorage.ts'
import { FakeClock } from '../../support/fakes/fakeClock.ts'

const mostCopies = 10

/** Folder for one test, and the storages opened in it. */
export class DiskFolder {
  readonly location: string
  #opened: LevelStorage[] = []

  constructor(location: string) {
    this.location = location
  }

  static async make(): Promise<DiskFolder> {
    return new DiskFolder(await mkdtemp(join(tmpdir(), 'storage-')))
  }

  async open(options: Partial<LevelStorageOptions> = {}): Promise<LevelStorage> {
    const clock = new FakeClock()
    const storage = await LevelStorage.open({ location: this.location, clock, ...options })
    this.#opened.push(storage)
    return storage
  }

  /**
   * Files as a crash would leave them now, without closing anything. A copy during which LevelDB
   * removes or renames a file starts again.
   */
  async crashImage(): Promise<DiskFolder> {
    for (let copies = 1; ; copies++) {
      const image = await DiskFolder.make()
      try {
        await cp(this.location, image.location, { recursive: true })
        return image
      } catch (error) {
        await image.remove()
        if (!isMissing(error) || copies === mostCopies) throw error
      }
    }
  }

  path(...names: string[]): string {
    return join(this.location, ...names)
  }

  /** LevelDB's write-ahead log. */
  async log(): Promise<string> {
    const name = (await readdir(this.path('db'))).find((file) => file.endsWith('.log'))
    if (name === undefined) throw new Error('LevelDB has no log')
    return this.path('db', name)
  }

  /**
   * Names and contents, without LevelDB's info logs, which it rotates before it acquires its lock.
   */
  async contents(): Promise<Record<string, string>> {
    const found: Record<string, string> = {}
    const files = await readdir(this.location, { recursive: true, withFileTypes: true })
    for (const file of files.filter((entry) => entry.isFile() && !/^LOG/.test(entry.name))) {
      const path = join(file.parentPath, file.name)
      found[path] = await readFile(path, 'hex')
    }
    return found
  }

  /** Changes `count` bytes in the middle of a file. */
  async corrupt(path: string, at: number, count = 3): Promise<void> {
    const bytes = await readFile(path)
    for (let i = at; i < at + count; i++) bytes.writeUInt8(bytes.readUInt8(i) ^ 0xff, i)
    await writeFile(path, bytes)
  }

  /** Closes all opened storages. */
  async close(): Promise<void> {
    for (const storage of this.#opened) await storage.close()
  }

  async remove(): Promise<void> {
    await this.close()
    await rm(this.location, { recursive: true })
  }
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT'
}
