import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { goCache } from '../go/goModule.ts'
import { runToEnd, type Output } from '../support/command.ts'
import type { Surroundings } from '../support/serverProcess.ts'
import { suiteModule, suiteVersion } from './suites.ts'
import type { CompiledSuite } from './suiteRun.ts'

const example = join(import.meta.dirname, '../../../examples/go-envtest')
/** The first run compiles the module's dependencies with one low-priority process. */
const testSeconds = 1_500

/** Folder with the executables for envtest, and Go to run tests with it. */
export class EnvtestContext {
  readonly #around: Surroundings
  readonly #go: string
  /** Folder of the executables. */
  readonly assets: string
  #module: string | undefined

  private constructor(around: Surroundings, go: string, assets: string) {
    this.#around = around
    this.#go = go
    this.assets = assets
  }

  static async open(around: Surroundings, go: string): Promise<EnvtestContext> {
    const assets = around.workspace.folder('assets')
    const command = [process.execPath, around.program, 'envtest', assets]
    const { code, stderr } = await runToEnd(around.workspace, command)
    if (code !== 0) throw new Error(stderr)
    return new EnvtestContext(around, go, assets)
  }

  /** Reason why the module is unavailable; undefined: it is in a separate folder. */
  async unavailable(): Promise<string | undefined> {
    const target = join(goCache, `${suiteModule.replaceAll('/', '-')}-${suiteVersion}`)
    if (!existsSync(target)) {
      const wanted = `${suiteModule}@${suiteVersion}`
      const { code, stdout } = await this.#run(['mod', 'download', '-json', wanted], this.assets)
      const { Dir: folder, Error: why } = JSON.parse(stdout) as { Dir?: string; Error?: string }
      if (code !== 0 || folder === undefined)
        return `its module cannot be fetched: ${why ?? stdout}`
      // Tests write into their folder, but the module cache is read-only.
      cpSync(folder, target, { recursive: true, mode: 0 })
      await runToEnd(this.#around.workspace, ['chmod', '-R', 'u+w', target])
    }
    this.#module = target
    return undefined
  }

  /** Runs the tests of one package of the module. @throws Error with the tests that failed. */
  async suite(name: string): Promise<void> {
    if (this.#module === undefined) throw new Error('the module was not fetched')
    await this.#test(this.#module, [`./pkg/${name}`])
  }

  /** Compiled tests of one package of the module. @throws Error with the output of the compiler. */
  async compile(name: string): Promise<CompiledSuite> {
    if (this.#module === undefined) throw new Error('the module was not fetched')
    const folder = join(this.#module, 'pkg', name)
    const program = join(goCache, `${name.replaceAll('/', '-')}-${suiteVersion}.test`)
    if (!existsSync(program)) {
      const command = ['test', '-c', '-vet=off', '-o', program, `./pkg/${name}`]
      const { code, stderr } = await this.#run(command, this.#module)
      if (code !== 0) throw new Error(stderr)
    }
    return { program, folder }
  }

  /** Runs the tests of the example project. */
  async example(): Promise<void> {
    await this.#test(example, ['./...'])
  }

  async #test(folder: string, packages: readonly string[]): Promise<void> {
    const command = ['test', '-vet=off', '-count=1', '-timeout=20m', ...packages]
    const { code, stdout, stderr } = await this.#run(command, folder)
    if (code === 0) return
    const failed = stdout.match(/^.*(\[FAIL\]|--- FAIL|panic:).*$/gm) ?? []
    throw new Error([...new Set(failed), stdout.slice(-3_000), stderr.slice(-2_000)].join('\n'))
  }

  #run(command: readonly string[], cwd: string): Promise<Output> {
    const env = {
      ...process.env,
      ...{ KUBEBUILDER_ASSETS: this.assets, GOFLAGS: '-p=1 -mod=readonly', GOTOOLCHAIN: 'local' },
    }
    const all = ['nice', '-n', '10', this.#go, ...command]
    return runToEnd(this.#around.workspace, all, { cwd, env, timeoutSeconds: testSeconds })
  }
}
