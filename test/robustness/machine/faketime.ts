import { readdirSync, renameSync, writeFileSync } from 'node:fs'

const libraries = '/usr/lib/x86_64-linux-gnu/faketime'

/**
 * Clock of one process, moved by libfaketime while it runs. Monotonic time does not move, as on a
 * real machine.
 */
export class Faketime {
  /** Environment of the process. */
  readonly env: NodeJS.ProcessEnv
  readonly #file: string

  /** Finds the library; undefined: not installed. `file` contains the offset. */
  static find(file: string): Faketime | undefined {
    const library = 'libfaketimeMT.so.1'
    try {
      if (!readdirSync(libraries).includes(library)) return undefined
    } catch {
      return undefined
    }
    return new Faketime(`${libraries}/${library}`, file)
  }

  private constructor(library: string, file: string) {
    this.#file = file
    this.env = {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_CACHE_DURATION: '1',
      DONT_FAKE_MONOTONIC: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    }
    this.set(0)
  }

  set(offsetSeconds: number): void {
    // The library must never read a partially written file.
    writeFileSync(`${this.#file}.new`, `${offsetSeconds < 0 ? '' : '+'}${offsetSeconds}s\n`)
    renameSync(`${this.#file}.new`, this.#file)
  }
}
