import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import type { ApiClient } from '../support/apiClient.ts'
import { Kubectl } from '../support/kubectl.ts'
import type { KubectlBinary } from '../support/kubectlBinaries.ts'
import { namespaceObject, namespacesPath, type ApiObject } from '../support/objects.ts'
import { ServerProcess, type Surroundings } from '../support/serverProcess.ts'

/** kubectl reads YAML 1.1, where `Y` is true unless it is quoted. */
const yaml = { version: '1.1' } as const

interface Shared {
  around: Surroundings
  server: ServerProcess
  kubectl: Kubectl
}

/** Context of a scenario: a kubectl, its server, and a namespace and a folder for it. */
export class KubectlContext {
  readonly kubectl: Kubectl
  readonly namespace: string
  readonly #shared: Shared
  readonly #folder: string
  #scenarios = 0

  private constructor(shared: Shared, namespace: string) {
    this.#shared = shared
    this.namespace = namespace
    this.#folder = shared.around.workspace.folder(namespace)
    this.kubectl = shared.kubectl.in({ cwd: this.#folder, kubeconfig: this.#kubeconfig() })
  }

  /** Starts a server for one kubectl. */
  static async open(around: Surroundings, binary: KubectlBinary): Promise<KubectlContext> {
    const server = new ServerProcess(around, `kubectl-${binary.version}`)
    await server.start()
    const home = around.workspace.folder(`home-${binary.version}`)
    const { workspace } = around
    const place = { cwd: home, kubeconfig: server.kubeconfig }
    const kubectl = new Kubectl({ workspace, binary, home }, place)
    return new KubectlContext({ around, server, kubectl }, 'default')
  }

  /** The context of the next scenario, with a new namespace. */
  async next(): Promise<KubectlContext> {
    const namespace = `space-${++this.#scenarios}`
    await this.api.create(namespacesPath, namespaceObject(namespace))
    return new KubectlContext(this.#shared, namespace)
  }

  get api(): ApiClient {
    return this.#shared.server.client()
  }

  get serverUrl(): string {
    return this.#shared.server.urls.secure
  }

  /** Writes objects as YAML, or text unchanged, into the working folder of kubectl. */
  readonly file = (name: string, ...content: (ApiObject | string)[]): string => {
    const texts = content.map((part) => (typeof part === 'string' ? part : stringify(part, yaml)))
    const path = join(this.#folder, name)
    writeFileSync(path, texts.join('---\n'), { mode: 0o700 })
    return path
  }

  /** The admin's kubeconfig with the namespace of the scenario as its default. */
  #kubeconfig(): string {
    const text = readFileSync(this.#shared.server.kubeconfig, 'utf8')
    const context = text.replace(/^( *)context:$/m, `$&\n$1  namespace: ${this.namespace}`)
    return this.file('kubeconfig', context)
  }

  async close(): Promise<void> {
    await this.#shared.server.stop()
  }
}
