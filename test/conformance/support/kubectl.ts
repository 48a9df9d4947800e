import { join } from 'node:path'
import { RunningCommand, type CommandOptions, type Output } from './command.ts'
import type { KubectlBinary } from './kubectlBinaries.ts'
import type { Workspace } from './workspace.ts'

interface KubectlOptions {
  workspace: Workspace
  binary: KubectlBinary
  /** HOME and cache, separate for each version. */
  home: string
}

/** Working directory of a command, and the kubeconfig with its server and namespace. */
interface Place {
  cwd: string
  kubeconfig: string
}

/** kubectl with one server and one working directory. */
export class Kubectl {
  readonly minor: number
  readonly #options: KubectlOptions
  readonly #place: Place

  constructor(options: KubectlOptions, place: Place) {
    this.minor = options.binary.minor
    this.#options = options
    this.#place = place
  }

  /** The same kubectl with another working directory. */
  in(place: Place): Kubectl {
    return new Kubectl(this.#options, place)
  }

  /** Runs to completion, whatever the exit code. */
  async run(args: string, options: CommandOptions = {}): Promise<Output> {
    return this.start(args, options).done
  }

  /** Standard output of a command that succeeds. */
  async ok(args: string, options: CommandOptions = {}): Promise<string> {
    return (await this.#expectCode(0, args, options)).stdout
  }

  /** Standard error of a command that fails with exit code 1. */
  async fails(args: string, options: CommandOptions = {}): Promise<string> {
    return (await this.#expectCode(1, args, options)).stderr
  }

  /** Starts a command that runs until it is stopped, such as a watch. */
  start(args: string, options: CommandOptions = {}): RunningCommand {
    const { workspace, binary, home } = this.#options
    const { cwd, kubeconfig } = this.#place
    const command = [binary.path, '--cache-dir', join(home, 'cache'), ...words(args)]
    const env = { PATH: process.env['PATH'], HOME: home, TMPDIR: home, KUBECONFIG: kubeconfig }
    return new RunningCommand(workspace, command, {
      ...options,
      cwd,
      env: { ...env, ...options.env },
    })
  }

  async #expectCode(code: number, args: string, options: CommandOptions): Promise<Output> {
    const output = await this.run(args, options)
    if (output.code === code) return output
    throw new Error(
      `kubectl ${args}: exit code ${output.code} instead of ${code}\n${output.stderr}${output.stdout}`,
    )
  }
}

/** Splits at spaces; single quotes keep a word together. */
function words(line: string): string[] {
  const parts = line.match(/(?:[^\s']|'[^']*')+/g) ?? []
  return parts.map((part) => part.replaceAll("'", ''))
}
