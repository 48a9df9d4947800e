import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'

/** A file of the built console. */
export interface ConsoleFile {
  /** Media type, with its charset. */
  type: string
  /** Tag of its content, without quotes. */
  tag: string
  /** Names of available encodings in order of preference; the name is the extension of the encoded file. */
  encodings: readonly Encoding[]
  /** True if the file name contains a hash of the content. */
  isHashed: boolean
}

export type Encoding = 'br' | 'gz'

/** List of files in the build, by path below the folder. */
export type ConsoleManifest = Readonly<Record<string, ConsoleFile>>

/** Name of the page in the list. */
export const pageName = 'index.html'

/** Name of the list in the folder. */
export const manifestName = 'manifest.json'

/** Files of the built console. Nothing is read before the first request. */
export class ConsoleFiles {
  readonly #folder: URL
  #isBuilt: boolean | undefined
  #manifest: Promise<ReadonlyMap<string, ConsoleFile>> | undefined
  #writtenMs = 0

  /** @param folder with a trailing slash. */
  constructor(folder: URL = new URL('../console/', import.meta.url)) {
    this.#folder = folder
  }

  /** True if the console was built; checked once. */
  get isBuilt(): boolean {
    this.#isBuilt ??= existsSync(new URL(manifestName, this.#folder))
    return this.#isBuilt
  }

  /** File at a path; undefined: not found. A new build is noticed with the next page. */
  async find(path: string): Promise<ConsoleFile | undefined> {
    if (path === pageName) await this.#checkBuild()
    this.#manifest ??= this.#readManifest().catch((error: unknown) => {
      this.#manifest = undefined
      throw error
    })
    return (await this.#manifest).get(path)
  }

  /** Content of a file. @param encoding undefined: unencoded. */
  read(path: string, encoding: Encoding | undefined): Promise<Buffer> {
    return readFile(new URL(encoding === undefined ? path : `${path}.${encoding}`, this.#folder))
  }

  async #checkBuild(): Promise<void> {
    const { mtimeMs } = await stat(new URL(manifestName, this.#folder))
    if (mtimeMs !== this.#writtenMs) this.#manifest = undefined
    this.#writtenMs = mtimeMs
  }

  async #readManifest(): Promise<ReadonlyMap<string, ConsoleFile>> {
    const text = await readFile(new URL(manifestName, this.#folder), 'utf8')
    // Sound: the build writes it.
    return new Map(Object.entries(JSON.parse(text) as ConsoleManifest))
  }
}
