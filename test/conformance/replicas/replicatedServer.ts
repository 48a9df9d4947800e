import { randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { EtcdServer } from '../../support/etcd/etcdServer.ts'
import { TcpBalancer } from '../../support/etcd/tcpBalancer.ts'
import { ApiClient } from '../support/apiClient.ts'
import { ServerProcess, type Surroundings } from '../support/serverProcess.ts'

const replicaCount = 3

/**
 * Three servers over one etcd behind a plain TCP balancer, which appear to clients as one server.
 * `kill` and `stop` end one of them after the other, and `start` restarts it.
 */
export class ReplicatedServer {
  readonly kubeconfig: string
  readonly #etcd: EtcdServer
  readonly #replicas: readonly ServerProcess[]
  readonly #secure: TcpBalancer
  readonly #plain: TcpBalancer
  #next = 0

  static async open(around: Surroundings, binary: string): Promise<ReplicatedServer> {
    const etcd = await EtcdServer.start(binary)
    const place = { ...around, etcd: etcd.endpoint, etcdPrefix: `/replicas-${randomUUID()}` }
    const replicas: ServerProcess[] = []
    for (let at = 0; at < replicaCount; at++) {
      const replica = new ServerProcess(place, `replica-${at}`)
      await replica.start()
      replicas.push(replica)
    }
    const portsOf = (url: 'secure' | 'insecure') =>
      replicas.map(({ urls }) => Number(new URL(urls[url]).port))
    const [secure, plain] = [
      await TcpBalancer.open(portsOf('secure')),
      await TcpBalancer.open(portsOf('insecure')),
    ]
    const kubeconfig = join(around.workspace.folder('replicas'), 'kubeconfig')
    return new ReplicatedServer({ etcd, replicas, secure, plain, kubeconfig })
  }

  private constructor(parts: {
    etcd: EtcdServer
    replicas: readonly ServerProcess[]
    secure: TcpBalancer
    plain: TcpBalancer
    kubeconfig: string
  }) {
    this.#etcd = parts.etcd
    this.#replicas = parts.replicas
    this.#secure = parts.secure
    this.#plain = parts.plain
    this.kubeconfig = parts.kubeconfig
    const [first] = parts.replicas
    if (first === undefined) throw new Error('there is no replica')
    const text = readFileSync(first.kubeconfig, 'utf8')
    writeFileSync(this.kubeconfig, text.replaceAll(first.urls.secure, this.url))
  }

  /** URL of the balancer. */
  get url(): string {
    return `https://127.0.0.1:${this.#secure.port}`
  }

  get token(): string {
    return this.#replicas[0]?.credentials().token ?? ''
  }

  /** Client of the administrator, over plain HTTP. */
  client(): ApiClient {
    return new ApiClient(`http://127.0.0.1:${this.#plain.port}`, this.token)
  }

  async kill(): Promise<void> {
    await this.#current.kill()
  }

  /** Stops the current replica with SIGTERM. */
  async stop(): Promise<void> {
    await this.#current.stop()
  }

  /** Restarts the replica that was ended last. The next replica becomes the current one. */
  async start(flags: readonly string[] = []): Promise<void> {
    await this.#current.start(flags)
    this.#next++
  }

  async close(): Promise<void> {
    await Promise.all([this.#secure.close(), this.#plain.close()])
    await Promise.all(this.#replicas.map((replica) => replica.kill()))
    await this.#etcd.remove()
  }

  get #current(): ServerProcess {
    const current = this.#replicas[this.#next % replicaCount]
    if (current === undefined) throw new Error('there is no replica')
    return current
  }
}
