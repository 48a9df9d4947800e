import type { ReadStream, WriteStream } from 'node:tty'
import { CliError, exitCodes } from './cliError.ts'
import { shownText } from './shownText.ts'

type Input = NodeJS.ReadableStream & Partial<Pick<ReadStream, 'isTTY' | 'setRawMode'>>
type Output = NodeJS.WritableStream & Partial<Pick<WriteStream, 'isTTY' | 'columns'>>

export interface TerminalStreams {
  input: Input
  output: Output
  error: Output
}

/** Standard streams of the process: results go to standard output, everything else to standard error. */
export class Terminal {
  readonly #streams: TerminalStreams
  #isQuiet = false
  #isLent = false

  constructor(streams: TerminalStreams) {
    this.#streams = streams
  }

  /** True if a user can be prompted: input and messages are on a terminal. */
  get isInteractive(): boolean {
    return this.#streams.input.isTTY === true && this.#streams.error.isTTY === true
  }

  get isOutputTerminal(): boolean {
    return this.#streams.output.isTTY === true
  }

  /** Suppresses messages that are not errors. */
  beQuiet(): void {
    this.#isQuiet = true
  }

  /** True while another program has the terminal and receives keyboard signals. */
  get isLent(): boolean {
    return this.#isLent
  }

  /** Runs `work` while another program, such as an editor, has the terminal. */
  async lend<T>(work: () => Promise<T>): Promise<T> {
    this.#isLent = true
    try {
      return await work()
    } finally {
      this.#isLent = false
    }
  }

  /** Writes a result; on a terminal without control characters. Resolves when written. */
  out(text: string): Promise<void> {
    return this.bytes(this.isOutputTerminal ? shownText(text) : text)
  }

  /** Writes a result that may be binary. */
  bytes(content: string | Buffer): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#streams.output.write(content, (error) => (error ? reject(error) : resolve()))
    })
  }

  /** Writes a message about the progress of a command; nothing with `--quiet`. */
  say(text: string): void {
    if (!this.#isQuiet) this.err(text)
  }

  /** Writes an error, a warning or a log line. */
  err(text: string): void {
    this.#streams.error.write(`${shownText(text)}\n`)
  }

  /** All of standard input. @throws CliError usage if it is a terminal. */
  async readAll(what: string): Promise<Buffer> {
    if (this.#streams.input.isTTY === true) {
      const hint = 'Pipe it in, or redirect a file to standard input.'
      throw new CliError(`no ${what} on standard input`, { code: exitCodes.usage, hint })
    }
    const chunks: Buffer[] = []
    for await (const chunk of this.#streams.input) chunks.push(Buffer.from(chunk))
    return Buffer.concat(chunks)
  }

  /** Reports whether the user agrees; false without a terminal. */
  async confirm(question: string): Promise<boolean> {
    if (!this.isInteractive) return false
    return /^y(es)?$/i.test((await this.ask(`${question} [y/N] `)).trim())
  }

  /** Reads a line from the user. `isHidden`: without echo. */
  async ask(question: string, { isHidden = false } = {}): Promise<string> {
    return isHidden ? this.#hidden(question) : this.#line(question)
  }

  async #line(question: string): Promise<string> {
    const { createInterface } = await import('node:readline/promises')
    const { input, error } = this.#streams
    const lines = createInterface({ input, output: error })
    const stop = new AbortController()
    // Ctrl-C and Ctrl-D, which would otherwise leave the prompt open.
    for (const event of ['SIGINT', 'close'] as const) lines.once(event, () => stop.abort())
    try {
      return await lines.question(question, { signal: stop.signal })
    } catch (cause) {
      throw new CliError('interrupted', { code: exitCodes.interrupted, cause })
    } finally {
      lines.close()
    }
  }

  #hidden(question: string): Promise<string> {
    const { input, error } = this.#streams
    error.write(question)
    input.setRawMode?.(true)
    return new Promise((resolve, reject) => {
      let typed = ''
      const end = (settle: () => void) => {
        input.off('data', take)
        input.setRawMode?.(false)
        input.pause()
        error.write('\n')
        settle()
      }
      const take = (chunk: Buffer | string) => {
        for (const letter of chunk.toString()) {
          if (letter === '\r' || letter === '\n' || letter === '\u0004')
            return end(() => resolve(typed))
          if (letter === '\u0003')
            return end(() => reject(new CliError('interrupted', { code: exitCodes.interrupted })))
          typed = letter === '\u007f' || letter === '\b' ? typed.slice(0, -1) : typed + letter
        }
      }
      input.on('data', take)
      input.resume()
    })
  }
}
