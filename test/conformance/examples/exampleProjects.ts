import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findOnPath } from '../support/kubectlBinaries.ts'
import { runToEnd, type CommandOptions, type Output } from '../support/command.ts'
import type { Surroundings } from '../support/serverProcess.ts'

const repository = join(import.meta.dirname, '../../..')
/** Packages of Python outlive a run, as those of the other languages do in their own caches. */
const venv = join(repository, 'node_modules/.cache/conformance-python')
const python = join(venv, 'bin/python')
const maven = ['mvn', '--batch-mode', '--quiet']
/** A first run fetches the packages of the language. */
const runSeconds = 600

/** Copies of the projects of `examples/`, each run as its README says, with the built server as the package. */
export class ExampleProjects {
  readonly #around: Surroundings

  constructor(around: Surroundings) {
    this.#around = around
  }

  /** The package is not on a registry, so what `npm install` would bring is linked. */
  async typescript(): Promise<void> {
    const folder = this.#copy('typescript')
    const modules = join(folder, 'node_modules')
    for (const scope of ['@kubernetes', '@types'])
      mkdirSync(join(modules, scope), { recursive: true })
    for (const name of ['@kubernetes/client-node', '@types/node', 'tsx', 'typescript', '.bin'])
      symlinkSync(join(repository, 'node_modules', name), join(modules, name))
    symlinkSync(join(dirname(this.#around.program), '../..'), join(modules, 'platform-apiserver'))
    await this.#run(['npm', 'test'], { cwd: folder })
  }

  /** Why the packages of the Python project cannot be had; undefined: they are installed. */
  async pythonUnavailable(): Promise<string | undefined> {
    if (!existsSync(python)) await this.#run(['python3', '-m', 'venv', venv])
    const cwd = this.#copy('python')
    const install = [python, '-m', 'pip', 'install', '--quiet', '-r', 'requirements.txt']
    const { code, stderr } = await this.#try(install, { cwd })
    return code === 0 ? undefined : `its packages cannot be installed: ${lastLine(stderr)}`
  }

  async python(): Promise<void> {
    const cwd = this.#copy('python')
    await this.#run([python, '-m', 'unittest', 'discover', 'tests', '-t', '.'], { cwd })
  }

  /** Why the packages of the Java project cannot be had; undefined: they are in Maven's cache. */
  async javaUnavailable(): Promise<string | undefined> {
    const { stdout } = await this.#try([...maven, 'test-compile'], { cwd: this.#copy('java') })
    return /Could not (?:transfer|resolve|find)[^\n]*/.exec(stdout)?.[0]
  }

  async java(): Promise<void> {
    await this.#run([...maven, 'test'], { cwd: this.#copy('java') })
  }

  /** Runs with the compiler and the runtime of this machine. */
  async csharp(): Promise<void> {
    const cwd = this.#copy('csharp')
    if (findOnPath('dotnet') !== undefined) return this.#run(['dotnet', 'run'], { cwd })
    const sources = readdirSync(cwd).filter((name) => name.endsWith('.cs'))
    const compile = ['mcs', '-r:System.Net.Http', '-out:settings.exe', ...sources]
    await this.#run(compile, { cwd })
    await this.#run(['mono', 'settings.exe'], { cwd })
  }

  async shell(): Promise<void> {
    await this.#run(['./test.sh'], { cwd: this.#copy('shell') })
  }

  #copy(name: string): string {
    const folder = this.#around.workspace.folder(name)
    cpSync(join(repository, 'examples', name), folder, { recursive: true })
    return folder
  }

  /** @throws Error with the output, if the command fails. */
  async #run(command: string[], options: CommandOptions = {}): Promise<void> {
    const { code, stdout, stderr } = await this.#try(command, options)
    if (code !== 0) throw new Error(`${command.join(' ')}: ${code}\n${stdout}${stderr}`)
  }

  #try(command: string[], options: CommandOptions): Promise<Output> {
    const { workspace, program } = this.#around
    const env = { ...process.env, PLATFORM_APISERVER: `${process.execPath} ${program}` }
    return runToEnd(workspace, command, { ...options, env, timeoutSeconds: runSeconds })
  }
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? ''
}
