import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { builtClient } from './builtClient.ts'
import { deadline } from '../../support/deadlines.ts'

export interface Output {
  code: number | null
  stdout: string
  stderr: string
}

export interface RunOptions {
  input?: string | Buffer
  env?: Record<string, string>
}

const limitMs = deadline(15_000)

/** The command-line client as a process, with separate settings, credentials and kubeconfig. */
export class Client {
  readonly home = mkdtempSync(join(tmpdir(), 'cli-'))
  readonly kubeconfig = join(this.home, 'kubeconfig')
  readonly #program: string

  /** @param program name under which it is called. */
  constructor(program = 'platform') {
    this.#program = program
  }

  /** Runs a command to completion. */
  async run(args: readonly string[], options: RunOptions = {}): Promise<Output> {
    return runProgram(join(await builtClient(), this.#program), args, {
      ...options,
      env: { ...(await this.environment()), ...options.env },
    })
  }

  /** Standard output of a command that succeeds. @throws Error with its output. */
  async ok(args: readonly string[], options: RunOptions = {}): Promise<string> {
    const { code, stdout, stderr } = await this.run(args, options)
    if (code !== 0) throw new Error(`${args.join(' ')}: ended with ${code}: ${stdout}${stderr}`)
    return stdout
  }

  /** Exit code and messages of a command. */
  async fails(args: readonly string[], options: RunOptions = {}): Promise<[number | null, string]> {
    const { code, stderr } = await this.run(args, options)
    return [code, stderr]
  }

  /** Environment of the program and of kubectl, without settings of the machine's user. */
  async environment(): Promise<Record<string, string>> {
    const { PATH = '' } = process.env
    return {
      PATH: [await builtClient(), PATH].join(delimiter),
      PLATFORM_HOME: this.home,
      HOME: this.home,
      KUBECONFIG: this.kubeconfig,
    }
  }

  file(name: string, text: string): string {
    const path = join(this.home, name)
    writeFileSync(path, text)
    return path
  }

  remove(): void {
    rmSync(this.home, { recursive: true, force: true })
  }
}

/** Runs any program to completion, whatever its exit code. */
export function runProgram(
  program: string,
  args: readonly string[],
  { input = '', env = {} }: RunOptions,
): Promise<Output> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env, timeout: limitMs })
    const output = { stdout: '', stderr: '' }
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text))
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, ...output }))
    child.stdin.on('error', () => undefined).end(input)
  })
}
