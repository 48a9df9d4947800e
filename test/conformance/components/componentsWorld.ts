import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { authority, certificate, serverUse, type Issued } from '../../support/certificates.ts'
import {
  endProgram,
  etcdFlags,
  freePort,
  startProgram,
  type Started,
} from '../../peer/peerProcess.ts'
import type { ApiClient } from '../support/apiClient.ts'
import { runToEnd, type Output } from '../support/command.ts'
import { eventually } from '../support/eventually.ts'
import { ServerProcess, type Surroundings } from '../support/serverProcess.ts'
import type { ComponentPrograms } from './componentPrograms.ts'
import { FakeKubelet } from './fakeKubelet.ts'

const patience = 120

/** Server with the real scheduler, and with real servers behind its APIServices. */
export class ComponentsWorld {
  readonly server: ServerProcess
  readonly programs: ComponentPrograms
  readonly #around: Surroundings
  readonly #folder: string
  readonly #started: Started[] = []
  #kubelet: FakeKubelet | undefined
  #authority: Issued | undefined

  private constructor(around: Surroundings, programs: ComponentPrograms) {
    this.#around = around
    this.programs = programs
    this.#folder = around.workspace.folder('components')
    this.server = new ServerProcess(around, 'components')
  }

  static async open(around: Surroundings, programs: ComponentPrograms): Promise<ComponentsWorld> {
    const world = new ComponentsWorld(around, programs)
    try {
      await world.#start()
      return world
    } catch (error) {
      await world.close()
      throw error
    }
  }

  get admin(): ApiClient {
    return this.server.client()
  }

  kubectl(...args: string[]): Promise<Output> {
    return this.kubectlWith('', ...args)
  }

  /** kubectl with text on its standard input. */
  kubectlWith(input: string, ...args: string[]): Promise<Output> {
    const env = { ...process.env, KUBECONFIG: this.server.kubeconfig, HOME: this.#folder }
    const given = { env, timeoutSeconds: 60, ...(input === '' ? {} : { input }) }
    return runToEnd(this.#around.workspace, ['kubectl', ...args], given)
  }

  /** Starts a program that asks this server to review users and their rights. */
  start(program: string, flags: readonly string[]): Started {
    const { kubeconfig } = this.server
    const started = startProgram(program, [
      ...[`--authentication-kubeconfig=${kubeconfig}`, `--authorization-kubeconfig=${kubeconfig}`],
      `--kubeconfig=${kubeconfig}`,
      ...flags,
    ])
    this.#started.push(started)
    return started
  }

  /** Starts an etcd. @returns its port. */
  async startEtcd(): Promise<number> {
    const [port, peer] = [await freePort(), await freePort()]
    const folder = this.#around.workspace.folder('components-etcd')
    this.#started.push(startProgram(this.programs.etcd, etcdFlags(folder, port, peer)))
    return port
  }

  /** Kubelet for nodes. */
  async kubelet(): Promise<FakeKubelet> {
    this.#kubelet ??= await FakeKubelet.open()
    return this.#kubelet
  }

  /** Starts an aggregated server and registers its group; resolves when it is available. */
  async aggregate(
    name: string,
    group: { group: string; version: string },
    { program, flags }: { program: string; flags: readonly string[] },
  ): Promise<void> {
    const { cert, key } = await this.#serving(name)
    const port = await freePort()
    const started = this.start(program, [
      ...[`--secure-port=${port}`, `--tls-cert-file=${cert}`, `--tls-private-key-file=${key}`],
      ...flags,
    ])
    const { admin } = this
    await admin.create('/api/v1/namespaces/kube-system/services', {
      ...{ apiVersion: 'v1', kind: 'Service', metadata: { name } },
      spec: { type: 'ExternalName', externalName: 'localhost', ports: [{ port: 443 }] },
    })
    const apiServices = '/apis/apiregistration.k8s.io/v1/apiservices'
    const metadata = { name: `${group.version}.${group.group}` }
    await admin.create(apiServices, {
      ...{ apiVersion: 'apiregistration.k8s.io/v1', kind: 'APIService', metadata },
      spec: {
        ...{ ...group, groupPriorityMinimum: 1_000, versionPriority: 15 },
        service: { namespace: 'kube-system', name, port },
        caBundle: Buffer.from(this.#authority?.cert ?? '').toString('base64'),
      },
    })
    await eventually(async () => {
      const [condition] = await this.conditions(`${apiServices}/${metadata.name}`)
      if (condition?.status !== 'True') {
        throw new Error(`${name}: ${condition?.message}\n${started.words()}`)
      }
    }, patience)
  }

  /** Conditions in the status of an object. */
  async conditions(path: string): Promise<Record<string, string>[]> {
    const { status } = (await this.admin.get(path)) as {
      status?: { conditions?: Record<string, string>[] }
    }
    return status?.conditions ?? []
  }

  async close(): Promise<void> {
    for (const started of this.#started.toReversed()) await endProgram(started)
    this.#kubelet?.close()
    await this.server.stop()
  }

  async #start(): Promise<void> {
    this.#authority = await authority('serving')
    const trusted = await authority('front-proxy-ca')
    const proxy = this.#files('proxy', await certificate({ cn: 'front-proxy-client' }, trusted))
    await this.server.start([
      `--requestheader-client-ca-file=${this.#files('front-proxy-ca', trusted).cert}`,
      `--proxy-client-cert-file=${proxy.cert}`,
      `--proxy-client-key-file=${proxy.key}`,
    ])
  }

  async #serving(name: string): Promise<{ cert: string; key: string }> {
    const hosts = [`${name}.kube-system.svc`, 'localhost']
    const request = { cn: name, uses: [serverUse], hosts }
    return this.#files(name, await certificate(request, this.#authority))
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
