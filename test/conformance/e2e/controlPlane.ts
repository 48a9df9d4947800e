import { generateKeyPairSync } from 'node:crypto'
import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs'
import { spawn, type ChildProcess } from 'node:child_process'
import { Agent, request } from 'node:https'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { authority, certificate, serverUse, type Issued } from '../../support/certificates.ts'
import { endProgram, etcdFlags, freePort } from '../../peer/peerProcess.ts'
import type { ControlPlanePrograms } from './controlPlanePrograms.ts'

/** The kube-apiserver and etcd of a control plane. */
export interface ServerPair {
  apiServer: string
  etcd: string
}

const longestStartMs = 120_000
const token = 'admin-token'
const nodes = ['node-0', 'node-1']

/**
 * Server with the real controller manager and scheduler, and with nodes whose pods kwok makes
 * ready.
 */
export class ControlPlane {
  readonly folder: string
  readonly kubeconfig: string
  readonly #programs: ControlPlanePrograms
  readonly #children: ChildProcess[] = []
  readonly #agent = new Agent({ keepAlive: true, rejectUnauthorized: false })
  #port = 0

  private constructor(folder: string, programs: ControlPlanePrograms) {
    this.folder = folder
    this.kubeconfig = join(folder, 'kubeconfig')
    this.#programs = programs
  }

  /**
   * Starts everything on an empty folder; resolves when the nodes are ready. Each program writes a
   * log to the folder.
   */
  static async start(
    folder: string,
    pair: ServerPair,
    programs: ControlPlanePrograms,
  ): Promise<ControlPlane> {
    mkdirSync(folder, { recursive: true })
    const plane = new ControlPlane(folder, programs)
    try {
      await plane.#startServer(pair)
      plane.#startControllers()
      await plane.#makeNodes()
      return plane
    } catch (error) {
      await plane.stop()
      throw error
    }
  }

  async stop(): Promise<void> {
    for (const child of this.#children.toReversed()) await endProgram({ child, words: () => '' })
    this.#agent.destroy()
  }

  async #startServer({ apiServer, etcd }: ServerPair): Promise<void> {
    const [client, peer, port] = [await freePort(), await freePort(), await freePort()]
    this.#port = port
    const files = await this.#writeFiles()
    this.#start('etcd', etcd, etcdFlags(this.folder, client, peer))
    this.#start('kube-apiserver', apiServer, [
      `--etcd-servers=http://127.0.0.1:${client}`,
      ...['--bind-address=127.0.0.1', `--secure-port=${port}`, '--advertise-address=127.0.0.1'],
      ...['--endpoint-reconciler-type=none', '--service-cluster-ip-range=10.96.0.0/16'],
      ...['--authorization-mode=RBAC', '--allow-privileged=true'],
      ...[`--tls-cert-file=${files.serving.cert}`, `--tls-private-key-file=${files.serving.key}`],
      ...[
        `--client-ca-file=${files.ca.cert}`,
        `--token-auth-file=${join(this.folder, 'tokens.csv')}`,
      ],
      ...['--service-account-issuer=https://kubernetes.default.svc.cluster.local'],
      `--service-account-key-file=${join(this.folder, 'sa.key')}`,
      `--service-account-signing-key-file=${join(this.folder, 'sa.key')}`,
      ...[
        `--requestheader-client-ca-file=${files.ca.cert}`,
        '--requestheader-allowed-names=front-proxy-client',
      ],
      ...[
        '--requestheader-username-headers=X-Remote-User',
        '--requestheader-group-headers=X-Remote-Group',
      ],
      '--requestheader-extra-headers-prefix=X-Remote-Extra-',
      `--proxy-client-cert-file=${files.proxy.cert}`,
      `--proxy-client-key-file=${files.proxy.key}`,
      `--cert-dir=${join(this.folder, 'certificates')}`,
    ])
    await this.#until('/readyz')
  }

  #startControllers(): void {
    const { controllerManager, scheduler, kwok } = this.#programs
    const { kubeconfig, folder } = this
    const delegated = ['--authentication-kubeconfig', '--authorization-kubeconfig']
    const common = [
      `--kubeconfig=${kubeconfig}`,
      ...delegated.map((flag) => `${flag}=${kubeconfig}`),
      '--secure-port=0',
    ]
    this.#start('kube-controller-manager', controllerManager, [
      ...common,
      ...['--use-service-account-credentials', '--kube-api-qps=200', '--kube-api-burst=400'],
      `--service-account-private-key-file=${join(folder, 'sa.key')}`,
      `--root-ca-file=${join(folder, 'ca.crt')}`,
      `--cluster-signing-cert-file=${join(folder, 'ca.crt')}`,
      `--cluster-signing-key-file=${join(folder, 'ca.key')}`,
    ])
    this.#start('kube-scheduler', scheduler, [
      ...common,
      '--kube-api-qps=200',
      '--kube-api-burst=400',
    ])
    this.#start('kwok', kwok, [
      `--kubeconfig=${kubeconfig}`,
      `--config=${kwok}.stages.yaml`,
      '--manage-all-nodes=true',
      // Without leases the nodes, and their pods, would become unready after a minute.
      '--node-lease-duration-seconds=40',
      '--node-ip=127.0.0.1',
      '--cidr=10.0.0.0/16',
    ])
  }

  async #makeNodes(): Promise<void> {
    for (const name of nodes) {
      const metadata = {
        ...{
          name,
          labels: {
            'kubernetes.io/hostname': name,
            'kubernetes.io/os': 'linux',
            'kubernetes.io/arch': 'amd64',
          },
        },
        annotations: { 'node.alpha.kubernetes.io/ttl': '0' },
      }
      const capacity = { cpu: '32', memory: '64Gi', 'ephemeral-storage': '100Gi', pods: '200' }
      const status = { capacity, allocatable: capacity }
      await this.#ask('POST', '/api/v1/nodes', { kind: 'Node', apiVersion: 'v1', metadata, status })
    }
    for (const name of nodes) await this.#until(`/api/v1/nodes/${name}`, isReady)
  }

  #start(name: string, program: string, flags: readonly string[]): void {
    const log = createWriteStream(join(this.folder, `${name}.log`))
    const child = spawn(program, flags, { stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout.pipe(log, { end: false })
    child.stderr.pipe(log, { end: false })
    const kill = () => child.kill('SIGKILL')
    process.once('exit', kill)
    child.once('exit', () => process.off('exit', kill))
    this.#children.push(child)
  }

  async #until(path: string, holds: (body: string) => boolean = () => true): Promise<void> {
    const until = performance.now() + longestStartMs
    for (;;) {
      const { status, body } = await this.#ask('GET', path)
      if (status === 200 && holds(body)) return
      if (performance.now() > until) throw new Error(`${path}: ${status} ${body}`)
      await pause(200)
    }
  }

  #ask(method: string, path: string, body?: object): Promise<{ status: number; body: string }> {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const options = {
      host: '127.0.0.1',
      port: this.#port,
      method,
      path,
      headers,
      agent: this.#agent,
    }
    return new Promise((resolve) => {
      const failed = (error: Error) => resolve({ status: 0, body: String(error) })
      const asked = request(options, (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }))
        response.on('error', failed)
      })
      asked.on('error', failed).end(body === undefined ? undefined : JSON.stringify(body))
    })
  }

  async #writeFiles() {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const write = (name: string, text: string | Buffer) =>
      writeFileSync(join(this.folder, name), text)
    write('sa.key', privateKey.export({ type: 'pkcs1', format: 'pem' }))
    write('tokens.csv', `${token},admin,1,system:masters\n`)
    const ca = await authority('kubernetes')
    const names = ['kubernetes', 'kubernetes.default', 'kubernetes.default.svc', 'localhost']
    const hosts = ['127.0.0.1', '10.96.0.1', ...names]
    const serving = await certificate(
      { cn: 'kube-apiserver', uses: [serverUse], hosts, to: nextDay() },
      ca,
    )
    const proxy = await certificate({ cn: 'front-proxy-client', to: nextDay() }, ca)
    write('kubeconfig', kubeconfigText(this.#port, ca.cert))
    return {
      ca: this.#pair('ca', ca),
      serving: this.#pair('serving', serving),
      proxy: this.#pair('proxy', proxy),
    }
  }

  #pair(name: string, { cert, key }: Issued): { cert: string; key: string } {
    const files = { cert: join(this.folder, `${name}.crt`), key: join(this.folder, `${name}.key`) }
    writeFileSync(files.cert, cert)
    writeFileSync(files.key, key)
    return files
  }
}

function nextDay(): Date {
  return new Date(Date.now() + 86_400_000)
}

function isReady(body: string): boolean {
  const { status } = JSON.parse(body) as {
    status?: { conditions?: { type: string; status: string }[] }
  }
  return status?.conditions?.some((one) => one.type === 'Ready' && one.status === 'True') ?? false
}

function kubeconfigText(port: number, ca: string): string {
  const cluster = {
    server: `https://127.0.0.1:${port}`,
    'certificate-authority-data': Buffer.from(ca).toString('base64'),
  }
  return JSON.stringify({
    ...{ kind: 'Config', apiVersion: 'v1', 'current-context': 'plane' },
    clusters: [{ name: 'plane', cluster }],
    users: [{ name: 'admin', user: { token } }],
    contexts: [{ name: 'plane', context: { cluster: 'plane', user: 'admin' } }],
  })
}
