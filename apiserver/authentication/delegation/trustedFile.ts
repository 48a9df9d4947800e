import { readFile } from 'node:fs/promises'
import type { Clock, Timer } from '../../meta/clock.ts'
import { cannotRead, StartError } from '../../runtime/startError.ts'

export interface TrustedFileOptions {
  path: string
  clock: Clock
  /** Told of the content at the start and after each change. One that it throws for is not taken. */
  changed: (content: string) => void
  /** Told of a change that was not taken. */
  failed: (error: unknown) => void
}

const refreshMs = 60_000

/** A file whose content counts while the server runs: it is read again every minute. */
export class TrustedFile {
  readonly #options: TrustedFileOptions
  #content: string | undefined
  #timer: Timer | undefined

  constructor(options: TrustedFileOptions) {
    this.#options = options
  }

  /** @throws StartError where it cannot be read or used. */
  async start(): Promise<void> {
    try {
      await this.refresh()
    } catch (error) {
      if (error instanceof StartError) throw error
      const why = error instanceof Error ? error.message : String(error)
      throw new StartError(`cannot use ${this.#options.path}: ${why}`, error)
    }
    this.#wait()
  }

  stop(): void {
    this.#timer?.cancel()
  }

  /** Looks whether it changed. @throws Error where it cannot be read or used; what was read last holds. */
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
