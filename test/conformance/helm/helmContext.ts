import { namespaceObject, namespacesPath } from '../support/objects.ts'
import type { ApiClient } from '../support/apiClient.ts'
import { runToEnd, type Output } from '../support/command.ts'
import { ServerProcess, type Surroundings } from '../support/serverProcess.ts'
import { writeChart } from './chart.ts'

const timeoutSeconds = 60

/** Charts of a context, by the names of their folders. */
interface Charts {
  label: string
  /** Writes each chart into a folder below the given one. */
  write: (folder: string) => void
}

const smallChart: Charts = {
  label: 'helm',
  write: (folder) => writeChart(`${folder}/small`, 'charts.test.example'),
}

/** Server, namespace `releases`, and a folder with charts, by default only the chart `small`. */
export class HelmContext {
  readonly #around: Surroundings
  readonly #program: string
  readonly #server: ServerProcess
  readonly #folder: string

  private constructor(
    around: Surroundings,
    program: string,
    { server, folder }: { server: ServerProcess; folder: string },
  ) {
    this.#around = around
    this.#program = program
    this.#server = server
    this.#folder = folder
  }

  static async open(
    around: Surroundings,
    program: string,
    { label, write }: Charts = smallChart,
  ): Promise<HelmContext> {
    const server = new ServerProcess(around, label)
    await server.start()
    await server.client().create(namespacesPath, namespaceObject('releases'))
    const folder = around.workspace.folder(label)
    write(folder)
    return new HelmContext(around, program, { server, folder })
  }

  get api(): ApiClient {
    return this.#server.client()
  }

  /** Runs helm to completion, whatever the exit code. */
  run(args: string): Promise<Output> {
    const command = [this.#program, '--namespace', 'releases', ...args.split(' ')]
    const home = `${this.#folder}/home`
    const env = {
      PATH: process.env['PATH'],
      HOME: home,
      HELM_CACHE_HOME: home,
      HELM_CONFIG_HOME: home,
      HELM_DATA_HOME: home,
      KUBECONFIG: this.#server.kubeconfig,
    }
    return runToEnd(this.#around.workspace, command, { cwd: this.#folder, env, timeoutSeconds })
  }

  /** Standard output of a command that succeeds. */
  async ok(args: string): Promise<string> {
    const { code, stdout, stderr } = await this.run(args)
    if (code !== 0) throw new Error(`helm ${args}: exit code ${code}\n${stderr}${stdout}`)
    return stdout
  }

  async close(): Promise<void> {
    await this.#server.stop()
  }
}
