import type { ChildProcess } from 'node:child_process'
import type { Workspace } from './workspace.ts'

export interface CommandOptions {
  cwd?: string
  env?: NodeJS.ProcessEnv
  /** Text for standard input, which is then closed. */
  input?: string
  /** Time after which the program is killed and the command fails; default 20. */
  timeoutSeconds?: number
}

export interface Output {
  code: number | null
  stdout: string
  stderr: string
}

/** Running program; its output so far can be read at any time. */
export class RunningCommand {
  stdout = ''
  stderr = ''
  /** Rejects if the program could not be started or exceeded its time limit. */
  readonly done: Promise<Output>
  readonly #child: ChildProcess
  readonly #description: string
  readonly #listeners = new Set<() => void>()

  constructor(workspace: Workspace, [program = '', ...args]: string[], options: CommandOptions) {
    const { cwd, env, input, timeoutSeconds = 20 } = options
    this.#description = [program, ...args].join(' ')
    this.#child = workspace.spawn(program, args, { cwd, env: env ?? process.env })
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => this.#add('stdout', text))
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => this.#add('stderr', text))
    // A program that ended without reading its input closes the pipe; its exit code is more
    // informative.
    this.#child.stdin?.on('error', () => undefined).end(input)
    this.done = this.#untilDone(timeoutSeconds)
    // Callers that stop a watch early do not wait for it.
    this.done.catch(() => undefined)
  }

  /** Resolves once `test` returns true for the output so far. */
  async until(test: (written: RunningCommand) => boolean, timeoutSeconds = 10): Promise<void> {
    if (test(this)) return
    await new Promise<void>((resolve, reject) => {
      const check = () => {
        if (test(this)) settle(resolve)
      }
      const fail = (why: string) => () => settle(() => reject(new Error(this.#report(why))))
      const settle = (end: () => void) => {
        clearTimeout(timer)
        this.#listeners.delete(check)
        this.#child.off('close', ended)
        end()
      }
      const ended = fail('ended before it wrote what was waited for')
      const timer = setTimeout(fail('did not write what was waited for'), timeoutSeconds * 1000)
      this.#listeners.add(check)
      this.#child.once('close', ended)
    })
  }

  stop(signal: NodeJS.Signals = 'SIGKILL'): void {
    this.#child.kill(signal)
  }

  #add(stream: 'stdout' | 'stderr', text: string): void {
    this[stream] += text
    for (const listener of this.#listeners) listener()
  }

  #untilDone(timeoutSeconds: number): Promise<Output> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#child.kill('SIGKILL')
        reject(new Error(this.#report(`ran longer than ${timeoutSeconds} s`)))
      }, timeoutSeconds * 1000)
      this.#child.once('error', (error) => {
        clearTimeout(timer)
        reject(error)
      })
      this.#child.once('close', (code) => {
        clearTimeout(timer)
        resolve({ code, stdout: this.stdout, stderr: this.stderr })
      })
    })
  }

  #report(why: string): string {
    return `${this.#description}: ${why}\nstdout: ${this.stdout}\nstderr: ${this.stderr}`
  }
}

/** Runs a program to completion, whatever its exit code. */
export async function runToEnd(
  workspace: Workspace,
  command: string[],
  options: CommandOptions = {},
): Promise<Output> {
  return new RunningCommand(workspace, command, options).done
}
