import { readFile } from 'node:fs/promises'
import type { Clock, Timer } from '../../meta/clock.ts'
import { messageOf } from '../../meta/messageOf.ts'
import { cannotRead, StartError } from '../../runtime/startError.ts'

export interface TrustedFileOptions {
  path: string
  clock: Clock
  /** Called with the content initially and after each change. If it throws, the content is rejected. */
  changed: (content: string) => void
  /** Called with the error of a rejected change. */
  failed: (error: unknown) => void
}

const refreshMs = 60_000

/** A file that is read again every minute while the server runs. */
export class TrustedFile {
  readonly #options: TrustedFileOptions
  #content: string | undefined
  #timer: Timer | undefined

  constructor(options: TrustedFileOptions) {
    this.#options = options
  }

  /** Reads the file and starts following it. @throws StartError if it cannot be read or used. */
  async start(): Promise<void> {
    try {
      await this.refresh()
    } catch (error) {
      if (error instanceof StartError) throw error
      const why = messageOf(error)
      throw new StartError(`cannot use ${this.#options.path}: ${why}`, error)
    }
    this.#wait()
  }

  stop(): void {
    this.#timer?.cancel()
  }

  /** Checks for changes. @throws Error if it cannot be read or used; the last content stays in effect. */
  async refresh(): Promise<void> {
    const content = await this.#read()
    if (content === this.#content) return
    this.#options.changed(content)
    this.#content = content
  }

  async #read(): Promise<string> {
    const { path } = this.#options
    try {
      return await readFile(path, 'utf8')
    } catch (error) {
      throw cannotRead(path, error)
    }
  }

  #wait(): void {
    const { clock, failed } = this.#options
    this.#timer = clock.setTimer(() => {
      this.#wait()
      this.refresh().catch(failed)
    }, refreshMs)
  }
}
