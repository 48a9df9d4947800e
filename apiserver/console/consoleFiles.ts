import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'

/** A file of the built console. */
export interface ConsoleFile {
  /** Media type, including the charset. */
  type: string
  /** Tag of the content, without quotes. */
  tag: string
  /**
   * Available encodings in order of preference; the name of an encoding is the extension of the
   * encoded file.
   */
  encodings: readonly Encoding[]
  /** True if the file name contains a hash of the content. */
  isHashed: boolean
}

export type Encoding = 'br' | 'gz'

/** Files of the build, by path below the folder. */
export type ConsoleManifest = Readonly<Record<string, ConsoleFile>>

/** File name of the page. */
export const pageName = 'index.html'

/** File name of the manifest. */
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

  /** True if the console was built; checked only once. */
  get isBuilt(): boolean {
    this.#isBuilt ??= existsSync(new URL(manifestName, this.#folder))
    return this.#isBuilt
  }

  /**
   * File at a path; undefined: not found. A new build is detected when the page is next requested.
   */
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
    // The build writes this type.
    return new Map(Object.entries(JSON.parse(text) as ConsoleManifest))
  }
}
