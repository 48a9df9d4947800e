import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openClusterServer } from '../../apiserver/kubeApiserver/cluster/openClusterServer.ts'
import type { ClusterServer } from '../../apiserver/kubeApiserver/cluster/clusterServer.ts'
import { readFlags } from '../../apiserver/kubeApiserver/flags/readFlags.ts'
import { authority, certificate, serverUse, type Issued } from '../support/certificates.ts'
import { tlsRequest, type TlsAnswer, type TlsRequest } from '../support/servers/tlsRequest.ts'
import { waitUntil } from '../support/waitUntil.ts'

const etcdProgram = join(import.meta.dirname, '../../apiserver/kubeApiserver/envtest/etcd.ts')

/** Folder as prepared by envtest, an etcd in a separate process, and servers in this one. */
export class ClusterHarness {
  readonly folder: string
  /** Certificate of the administrator. */
  admin!: Issued
  port = 0
  #etcdPort = 0
  #etcd: ChildProcess | undefined
  #server: ClusterServer | undefined

  private constructor(folder: string) {
    this.folder = folder
  }

  static async open(): Promise<ClusterHarness> {
    const harness = new ClusterHarness(await mkdtemp(join(tmpdir(), 'cluster-')))
    await harness.#prepare()
    return harness
  }

  /** Starts a server on the data of the etcd, with the flags of envtest and additional ones. */
  async start(
    flags: readonly string[] = [],
    env: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    const given = readFlags([...this.#flags(), '--authorization-mode=RBAC', '--v=0', ...flags])
    this.#server = await openClusterServer(given.values, env)
  }

  async stop(): Promise<void> {
    await this.#server?.stop()
    this.#server = undefined
  }

  async close(): Promise<void> {
    await this.stop()
    if (this.#etcd?.exitCode === null) {
      this.#etcd.kill('SIGTERM')
      await once(this.#etcd, 'exit')
    }
    await rm(this.folder, { recursive: true, force: true })
  }

  /** Sends a request as the administrator, or as another user. */
  async request(path: string, given: TlsRequest = { certificate: this.admin }): Promise<TlsAnswer> {
    return tlsRequest(`https://127.0.0.1:${this.port}${path}`, given)
  }

  async create(path: string, body: object): Promise<Answer> {
    const sent = { certificate: this.admin, method: 'POST', body }
    return new Answer(await this.request(path, sent))
  }

  async get(path: string): Promise<Answer> {
    return new Answer(await this.request(path))
  }

  path(file: string): string {
    return join(this.folder, file)
  }

  async #prepare(): Promise<void> {
    const ca = await authority('ca')
    this.admin = await certificate({ cn: 'admin', o: ['system:masters'] }, ca)
    const serving = await certificate(
      { cn: 'serving', uses: [serverUse], hosts: ['127.0.0.1'] },
      ca,
    )
    const accounts = await authority('accounts')
    const files = {
      'ca.crt': ca.cert,
      'apiserver.crt': serving.cert,
      'apiserver.key': serving.key,
      'sa.crt': accounts.cert,
      'sa.key': accounts.key,
    }
    for (const [file, text] of Object.entries(files)) await writeFile(this.path(file), text)
    this.port = await freePort()
    this.#etcdPort = await freePort()
    this.#etcd = spawn(
      process.execPath,
      [
        ...['--import', 'tsx', etcdProgram],
        ...[`--listen-client-urls=http://127.0.0.1:${this.#etcdPort}`, '--unsafe-no-fsync'],
        ...['--data-dir', this.path('etcd')],
      ],
      { stdio: 'ignore' },
    )
    await waitUntil(async () => {
      const answer = await fetch(`http://127.0.0.1:${this.#etcdPort}/health`).catch(() => undefined)
      return answer !== undefined && (await answer.text()) === '{"health":"true","reason":""}'
    })
  }

  #flags(): string[] {
    return [
      `--etcd-servers=http://127.0.0.1:${this.#etcdPort}`,
      `--secure-port=${this.port}`,
      '--bind-address=127.0.0.1',
      `--cert-dir=${this.folder}`,
      `--client-ca-file=${this.path('ca.crt')}`,
      '--service-account-issuer=https://issuer/',
      `--service-account-key-file=${this.path('sa.crt')}`,
      `--service-account-signing-key-file=${this.path('sa.key')}`,
      '--disable-admission-plugins=ServiceAccount',
      '--service-cluster-ip-range=10.0.0.0/24',
    ]
  }
}

/** Decoded response. */
export class Answer {
  readonly status: number
  readonly #body: unknown

  constructor({ status, text }: TlsAnswer) {
    this.status = status
    this.#body = JSON.parse(text)
  }

  /** Value of a field, such as `spec.cidrs` or `items.0.metadata`; undefined: none. */
  field(path: string): unknown {
    return path.split('.').reduce<unknown>((value, name) => {
      return typeof value === 'object' && value !== null
        ? (value as Record<string, unknown>)[name]
        : undefined
    }, this.#body)
  }

  /** Sorted names of the items of a list. */
  names(): string[] {
    const items = this.field('items') as { metadata: { name: string } }[]
    return items.map(({ metadata }) => metadata.name).toSorted()
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  // Sound: a listening TCP server has an address object.
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
