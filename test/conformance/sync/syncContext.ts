import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { Kubectl } from '../support/kubectl.ts'
import type { KubectlBinary } from '../support/kubectlBinaries.ts'
import type { ApiObject } from '../support/objects.ts'
import { ServerProcess, type Surroundings } from '../support/serverProcess.ts'
import { cluster } from './virtualCluster.ts'

/**
 * Server, and kubectl for its three sides: the management API, the host cluster and the virtual
 * cluster.
 */
export class SyncContext {
  readonly server: ServerProcess
  readonly management: Kubectl
  readonly host: Kubectl
  /** kubectl for the virtual cluster; has a kubeconfig after `enter`. */
  readonly virtual: Kubectl
  readonly #folder: string

  private constructor(around: Surroundings, binary: KubectlBinary, server: ServerProcess) {
    const { workspace } = around
    this.server = server
    this.#folder = workspace.folder('sync')
    const home = workspace.folder(`home-sync-${binary.version}`)
    const kubectl = new Kubectl(
      { workspace, binary, home },
      { cwd: this.#folder, kubeconfig: server.kubeconfig },
    )
    this.management = kubectl
    this.host = kubectl.in({ cwd: this.#folder, kubeconfig: this.#hostKubeconfig() })
    this.virtual = kubectl.in({ cwd: this.#folder, kubeconfig: join(this.#folder, 'virtual') })
  }

  static async open(around: Surroundings, binary: KubectlBinary): Promise<SyncContext> {
    const server = new ServerProcess(around, `sync-${binary.version}`)
    await server.start()
    return new SyncContext(around, binary, server)
  }

  /** Writes objects, or text unchanged, into the working folder of kubectl. */
  readonly file = (name: string, ...content: (ApiObject | string)[]): string => {
    const texts = content.map((part) => (typeof part === 'string' ? part : stringify(part)))
    const path = join(this.#folder, name)
    writeFileSync(path, texts.join('---\n'))
    return path
  }

  /** Uses this kubeconfig for the virtual cluster. */
  readonly enter = (kubeconfig: string): string => this.file('virtual', kubeconfig)

  readonly close = async (): Promise<void> => this.server.stop()

  #hostKubeconfig(): string {
    const { token, certificateAuthority } = this.server.credentials()
    const server = `${this.server.urls.secure}/kubernetes/cluster/${cluster}`
    return this.file(
      'host',
      stringify({
        apiVersion: 'v1',
        kind: 'Config',
        'current-context': 'host',
        contexts: [{ name: 'host', context: { cluster: 'host', user: 'admin' } }],
        clusters: [
          {
            name: 'host',
            cluster: {
              server,
              'certificate-authority-data': certificateAuthority.toString('base64'),
            },
          },
        ],
        users: [{ name: 'admin', user: { token } }],
      }),
    )
  }
}
