import { mkdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { runToEnd, type Output } from '../support/command.ts'
import type { Workspace } from '../support/workspace.ts'

export const goCache = join(import.meta.dirname, '../../../node_modules/.cache/conformance-go')

/** The first build compiles all of client-go with one low-priority process; later ones take seconds. */
const buildSeconds = 1_500

/** Sources of a program: its folder, and the file with the versions of its modules. */
export interface GoSources {
  folder: string
  file: string
}

/** Program of a folder with the versions of one module file. */
export class GoModule {
  readonly #workspace: Workspace
  readonly #go: string
  readonly #sources: GoSources

  constructor(workspace: Workspace, go: string, sources: GoSources) {
    this.#workspace = workspace
    this.#go = go
    this.#sources = sources
  }

  /**
   * Reason why the program cannot be built here: its modules or a suitable Go are unavailable.
   * Missing modules are fetched.
   */
  async unavailable(): Promise<string | undefined> {
    const { code, stderr } = await this.#run('list', '-deps', '-f', '{{.ImportPath}}')
    if (code === 0) return undefined
    return `its modules cannot be fetched: ${stderr.trim().split('\n').at(-1) ?? ''}`
  }

  /**
   * The program, rebuilt if something has changed. @throws Error with the output of the compiler.
   */
  async build(): Promise<string> {
    const { folder, file } = this.#sources
    const program = join(goCache, `${basename(folder)}-${basename(file, '.mod')}`)
    mkdirSync(dirname(program), { recursive: true })
    const { code, stderr } = await this.#run('build', '-o', program)
    if (code !== 0) throw new Error(stderr)
    return program
  }

  #run(...command: string[]): Promise<Output> {
    const { folder, file } = this.#sources
    const all = ['nice', '-n', '19', this.#go, ...command, `-modfile=${file}`, '.']
    const env = { ...process.env, GOFLAGS: '-p=1 -mod=readonly', GOTOOLCHAIN: 'local' }
    return runToEnd(this.#workspace, all, { cwd: folder, env, timeoutSeconds: buildSeconds })
  }
}
