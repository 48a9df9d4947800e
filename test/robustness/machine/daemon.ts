import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'

export interface DaemonOptions {
  name: string
  /** Program and its arguments. */
  command: readonly string[]
  env?: NodeJS.ProcessEnv
  /** File for the output of the process, of all its starts. */
  log: string
}

const shownCharacters = 2_000

/** Program that is started, killed, paused and restarted with the same flags. */
export class Daemon {
  readonly name: string
  readonly #options: DaemonOptions
  #process: ChildProcess | undefined
  #isPaused = false

  constructor(options: DaemonOptions) {
    this.name = options.name
    this.#options = options
  }

  get pid(): number {
    return this.#process?.pid ?? 0
  }

  get isRunning(): boolean {
    return this.#process !== undefined && this.#process.exitCode === null && !this.#isKilled()
  }

  get isPaused(): boolean {
    return this.#isPaused
  }

  start(): void {
    const { command, env, log } = this.#options
    const [program = '', ...args] = command
    const output = openSync(log, 'a')
    this.#process = spawn(program, args, { stdio: ['ignore', output, output], env })
    this.#process.on('error', () => undefined) // isRunning tells.
    closeSync(output)
    this.#isPaused = false
  }

  pause(): void {
    this.#isPaused = this.#process?.kill('SIGSTOP') ?? false
  }

  resume(): void {
    this.#process?.kill('SIGCONT')
    this.#isPaused = false
  }

  /** Resolves when the process has ended. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const running = this.#process
    if (running === undefined || !this.isRunning) return
    const ended = new Promise((resolve) => running.once('exit', resolve))
    if (signal === 'SIGTERM') this.resume()
    running.kill(signal)
    await ended
  }

  /** Kills it without waiting, at the exit of this process. */
  killNow(): void {
    this.#process?.kill('SIGKILL')
  }

  /** Reports whether any start of the process printed the text. */
  hasLogged(text: string): boolean {
    return readFileSync(this.#options.log, 'utf8').includes(text)
  }

  /** Last output, for reports. */
  words(): string {
    return `${this.name}: ${readFileSync(this.#options.log, 'utf8').slice(-shownCharacters)}`
  }

  #isKilled(): boolean {
    return this.#process?.signalCode !== null
  }
}
