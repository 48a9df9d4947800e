import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { runToEnd, type Output } from '../support/command.ts'
import type { Workspace } from '../support/workspace.ts'

const sources = import.meta.dirname
const cache = join(sources, '../../../node_modules/.cache/conformance-go')

/** The first build compiles all of client-go with one low-priority process; later ones take seconds. */
const buildSeconds = 1_500

/** The program of this folder with the versions of one module file. */
export class GoModule {
  readonly #workspace: Workspace
  readonly #go: string
  readonly #file: string

  constructor(workspace: Workspace, go: string, file: string) {
    this.#workspace = workspace
    this.#go = go
    this.#file = file
  }

  /** Why the program cannot be built here, whatever it says: its modules or a fitting Go are not to be had.
   *  Modules that are missing are fetched. */
  async unavailable(): Promise<string | undefined> {
    const { code, stderr } = await this.#run('list', '-deps', '-f', '{{.ImportPath}}')
    if (code === 0) return undefined
    return `its modules cannot be fetched: ${stderr.trim().split('\n').at(-1) ?? ''}`
  }

  /** The program, built again where something changed. @throws Error with what the compiler said. */
  async build(): Promise<string> {
    const program = join(cache, this.#file.replace('.mod', ''))
    mkdirSync(dirname(program), { recursive: true })
    const { code, stderr } = await this.#run('build', '-o', program)
    if (code !== 0) throw new Error(stderr)
    return program
  }

  #run(...command: string[]): Promise<Output> {
    const all = ['nice', '-n', '19', this.#go, ...command, `-modfile=${this.#file}`, '.']
    const env = { ...process.env, GOFLAGS: '-p=1 -mod=readonly', GOTOOLCHAIN: 'local' }
    return runToEnd(this.#workspace, all, { cwd: sources, env, timeoutSeconds: buildSeconds })
  }
}
