import { namespaceObject, namespacesPath } from '../support/objects.ts'
import { ServerProcess, type Surroundings } from '../support/serverProcess.ts'
import { runScenario, type GoScenario, type RestartRequest } from './goProgram.ts'

/** Server that scenarios use and restart. */
type DrivenServer = Pick<ServerProcess, 'kubeconfig' | 'client' | 'start' | 'stop' | 'kill'>

interface Shared {
  around: Surroundings
  program: string
  server: DrivenServer
}

/** Context of a scenario: the server and a namespace for it. */
export class GoContext {
  readonly #shared: Shared
  readonly #namespace: string
  #scenarios = 0

  private constructor(shared: Shared, namespace: string) {
    this.#shared = shared
    this.#namespace = namespace
  }

  static async open(
    around: Surroundings,
    { program, label }: { program: string; label: string },
  ): Promise<GoContext> {
    const server = new ServerProcess(around, label)
    await server.start()
    return new GoContext({ around, program, server }, 'default')
  }

  /** Context with a running server, which the caller stops. */
  static over(server: DrivenServer, around: Omit<Shared, 'server'>): GoContext {
    return new GoContext({ ...around, server }, 'default')
  }

  /** The context of the next scenario, with a new namespace. */
  async next(): Promise<GoContext> {
    const namespace = `space-${++this.#scenarios}`
    await this.#shared.server.client().create(namespacesPath, namespaceObject(namespace))
    return new GoContext(this.#shared, namespace)
  }

  async run({ name, env = {} }: GoScenario): Promise<void> {
    const { around, program, server } = this.#shared
    const { workspace } = around
    const flags = {
      kubeconfig: server.kubeconfig,
      namespace: this.#namespace,
      folder: workspace.folder(this.#namespace),
      scenario: name,
    }
    const given = Object.entries(flags).map(([flag, value]) => `--${flag}=${value}`)
    const restart = (request: RestartRequest) => this.#restart(request)
    await runScenario({ workspace, command: [program, 'run', ...given], env, restart })
  }

  async close(): Promise<void> {
    await this.#shared.server.stop()
  }

  async #restart({ restart, flags = [] }: RestartRequest): Promise<void> {
    const { server } = this.#shared
    await (restart === 'kill' ? server.kill() : server.stop())
    await server.start(flags)
  }
}
