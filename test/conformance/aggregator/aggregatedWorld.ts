import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { stringify } from 'yaml'
import { authority, certificate, type Issued } from '../../support/certificates.ts'
import type { ApiClient } from '../support/apiClient.ts'
import { RunningCommand, type Output } from '../support/command.ts'
import type { ApiObject } from '../support/objects.ts'
import { ServerProcess, type Surroundings } from '../support/serverProcess.ts'
import { startAggregator, type Aggregator, type AggregatorPrograms } from './aggregatorProcess.ts'
import { delegateKubeconfig, makeDelegate, makeUser } from './delegates.ts'

const service = { namespace: 'platform', name: 'platform' }
export const groups = ['authentication.k8s.io', 'management.platform', 'rbac.authorization.k8s.io']
const apiServices = groups.map((group) => `v1.${group}`)

/**
 * The built server as the core, the real aggregator in front of it, and the built server again as
 * the extension behind.
 */
export class AggregatedWorld {
  readonly core: ServerProcess
  readonly extension: ServerProcess
  /** Tokens of the core server. */
  tokens = { admin: '', bob: '' }
  readonly #around: Surroundings
  readonly #folder: string
  #aggregator: Aggregator | undefined

  private constructor(around: Surroundings) {
    this.#around = around
    this.#folder = around.workspace.folder('aggregated')
    this.core = new ServerProcess(around, 'aggregator-core')
    this.extension = new ServerProcess(around, 'aggregator-extension')
  }

  static async open(around: Surroundings, programs: AggregatorPrograms): Promise<AggregatedWorld> {
    const world = new AggregatedWorld(around)
    try {
      await world.#start(programs)
      return world
    } catch (error) {
      await world.close()
      throw error
    }
  }

  get aggregator(): Aggregator {
    if (this.#aggregator === undefined) throw new Error('The aggregator was not started yet')
    return this.#aggregator
  }

  /** kubectl through the aggregator, with a token of the core server. */
  kubectl(token: string, args: readonly string[], input?: string): Promise<Output> {
    return this.kubectlAt(this.aggregator.url, token, { args, input })
  }

  /** kubectl with any of the servers. */
  kubectlAt(
    server: string,
    token: string,
    { args, input }: { args: readonly string[]; input?: string | undefined },
  ): Promise<Output> {
    return this.startKubectl(server, token, { args, input }).done
  }

  startKubectl(
    server: string,
    token: string,
    { args, input }: { args: readonly string[]; input?: string | undefined },
  ): RunningCommand {
    const flags = [`--server=${server}`, `--token=${token}`, '--insecure-skip-tls-verify']
    const env = { ...process.env, KUBECONFIG: '/dev/null', HOME: this.#folder }
    const given = { env, timeoutSeconds: 60, ...(input === undefined ? {} : { input }) }
    return new RunningCommand(this.#around.workspace, ['kubectl', ...flags, ...args], given)
  }

  /** Availability of a group version according to the aggregator. */
  async available(name: string): Promise<string> {
    const path = '{.status.conditions[?(@.type=="Available")]}'
    const args = ['get', 'apiservice', name, '-o', `jsonpath=${path}`]
    return (await this.kubectl(this.tokens.admin, args)).stdout
  }

  async close(): Promise<void> {
    await this.#aggregator?.stop()
    await this.extension.stop()
    await this.core.stop()
  }

  async #start(programs: AggregatorPrograms): Promise<void> {
    const trusted = await authority('front-proxy-ca')
    const proxy = this.#files('proxy', await certificate({ cn: 'aggregator' }, trusted))
    await this.core.start([
      `--requestheader-client-ca-file=${this.#files('front-proxy-ca', trusted).cert}`,
      '--requestheader-allowed-names=aggregator',
      '--requestheader-uid-headers=X-Remote-Uid',
    ])
    const admin = this.core.client()
    const { token } = this.core.credentials()
    const bob = await makeUser(admin, 'bob')
    this.tokens = { admin: token, bob }
    const kubeconfig = await this.#delegate(admin)
    await this.extension.start([
      `--authentication-kubeconfig=${kubeconfig}`,
      `--authorization-kubeconfig=${kubeconfig}`,
      '--authorization-webhook-cache-unauthorized-ttl=1s',
      `--tls-san=${service.name}.${service.namespace}.svc`,
    ])
    await this.#describeService(admin)
    this.#aggregator = await startAggregator({
      programs,
      folder: join(this.#folder, 'aggregator'),
      kubeconfig: this.core.kubeconfig,
      proxyCertificate: proxy,
    })
    await this.#register()
  }

  /** Kubeconfig of a server that may only review users and their rights at the core. */
  async #delegate(admin: ApiClient): Promise<string> {
    const file = join(this.#folder, 'delegate.kubeconfig')
    const token = await makeDelegate(admin, 'extension')
    const { certificateAuthority } = this.core.credentials()
    const server = this.core.urls.secure
    writeFileSync(file, delegateKubeconfig({ server, certificateAuthority, token }), {
      mode: 0o600,
    })
    return file
  }

  /** Creates the Service and endpoints that lead the aggregator to the extension. */
  async #describeService(admin: ApiClient): Promise<void> {
    const { namespace, name } = service
    const port = Number(new URL(this.extension.urls.secure).port)
    const ports = [{ name: 'https', port, protocol: 'TCP' }]
    await admin.create('/api/v1/namespaces', object('v1', 'Namespace', { name: namespace }))
    await admin.create(`/api/v1/namespaces/${namespace}/services`, {
      ...object('v1', 'Service', { name }),
      spec: { clusterIP: '127.0.0.1', ports },
    })
    const slices = `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices`
    const labels = { 'kubernetes.io/service-name': name }
    const slice: ApiObject & Record<string, unknown> = {
      ...object('discovery.k8s.io/v1', 'EndpointSlice', { name: `${name}-1`, labels }),
      addressType: 'IPv4',
      endpoints: [{ addresses: ['10.96.77.1'], conditions: { ready: true } }],
      ports,
    }
    await admin.create(slices, slice)
  }

  async #register(): Promise<void> {
    const caBundle = this.extension.credentials().certificateAuthority.toString('base64')
    const port = Number(new URL(this.extension.urls.secure).port)
    const objects = apiServices.map((name) => ({
      ...object('apiregistration.k8s.io/v1', 'APIService', { name }),
      spec: {
        group: name.slice('v1.'.length),
        version: 'v1',
        service: { ...service, port },
        caBundle,
        groupPriorityMinimum: 1000,
        versionPriority: 15,
      },
    }))
    const documents = objects.map((one) => stringify(one)).join('---\n')
    const args = ['create', '--validate=false', '-f', '-']
    const { code, stderr } = await this.kubectl(this.tokens.admin, args, documents)
    if (code !== 0) throw new Error(`kubectl create: ${stderr}\n${this.aggregator.words()}`)
    for (let tries = 0; ; tries++) {
      const states = await Promise.all(apiServices.map((name) => this.available(name)))
      const { stdout } = await this.kubectl(this.tokens.admin, ['api-resources', '-o', 'name'])
      const isServed = groups.every((group) => stdout.includes(`.${group}\n`))
      if (isServed && states.every((state) => state.includes('"status":"True"'))) return
      if (tries === 30) throw new Error(`${states.join('\n')}\n${this.aggregator.words()}`)
      await pause(500)
    }
  }

  #files(name: string, { cert, key }: Issued): { cert: string; key: string } {
    const files = {
      cert: join(this.#folder, `${name}.crt`),
      key: join(this.#folder, `${name}.key`),
    }
    writeFileSync(files.cert, cert)
    writeFileSync(files.key, key, { mode: 0o600 })
    return files
  }
}

function object(apiVersion: string, kind: string, metadata: ApiObject['metadata']): ApiObject {
  return { apiVersion, kind, metadata }
}
