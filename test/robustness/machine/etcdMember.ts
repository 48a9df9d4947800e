import { Daemon } from './daemon.ts'

export interface MemberOptions {
  binary: string
  name: string
  folder: string
  clientPort: number
  peerPort: number
  /** Port for the other members. */
  advertisedPeerPort: number
  /** `name=url,…` of all members. */
  initialCluster: string
}

const callMs = 10_000

/** Member of an etcd cluster, and its API as JSON. */
export class EtcdMember {
  readonly daemon: Daemon
  readonly clientPort: number

  constructor(options: MemberOptions) {
    this.clientPort = options.clientPort
    const { binary, name, folder } = options
    const command = [binary, ...flagsOf(options)]
    this.daemon = new Daemon({ name, command, log: `${folder}/${name}.log` })
  }

  get name(): string {
    return this.daemon.name
  }

  /** Reports whether the member responds and knows a leader. */
  async isReady(): Promise<boolean> {
    const status = await this.status().catch(() => undefined)
    return status !== undefined && status.leader !== '0' && status.leader !== ''
  }

  async status(): Promise<MemberStatus> {
    const answer = await this.call<Partial<StatusAnswer>>('maintenance/status', {})
    const { header, leader = '' } = answer
    return {
      id: header?.member_id ?? '',
      leader,
      revision: Number(header?.revision ?? 0),
      errors: answer.errors ?? [],
    }
  }

  /** @throws Error for a status other than success. */
  async call<T>(path: string, body: object, timeoutMs = callMs): Promise<T> {
    const response = await fetch(`http://127.0.0.1:${this.clientPort}/v3/${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${this.name}: ${path}: ${text}`)
    return JSON.parse(text) as T // As etcd documents the call.
  }
}

export interface MemberStatus {
  id: string
  /** Id of the leader; '0' or '': none. */
  leader: string
  revision: number
  errors: string[]
}

interface StatusAnswer {
  header: { member_id: string; revision: string }
  leader: string
  errors: string[]
}

/**
 * Tests kill processes, not the machine: nothing is synced to disk. Elections have a longer timeout
 * than by default, so that a busy machine does not cause a fault.
 */
function flagsOf(options: MemberOptions): string[] {
  const { name, folder, clientPort, peerPort, advertisedPeerPort, initialCluster } = options
  const client = `http://127.0.0.1:${clientPort}`
  return Object.entries({
    name,
    'data-dir': `${folder}/${name}`,
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': `http://127.0.0.1:${peerPort}`,
    'initial-advertise-peer-urls': `http://127.0.0.1:${advertisedPeerPort}`,
    'initial-cluster': initialCluster,
    'heartbeat-interval': '200',
    'election-timeout': '2000',
    'log-level': 'warn',
    'unsafe-no-fsync': 'true',
  }).map(([flag, value]) => `--${flag}=${value}`)
}
