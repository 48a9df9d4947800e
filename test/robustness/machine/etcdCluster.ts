import { freePort } from '../../support/etcd/etcdServer.ts'
import { eventually } from './eventually.ts'
import { EtcdMember } from './etcdMember.ts'
import { PeerLink } from './peerLink.ts'

const startMs = 60_000

/** Members of one etcd, which reach each other through links. */
export class EtcdCluster {
  readonly members: readonly EtcdMember[]
  /** Links in front of the peer ports, in the order of members. */
  readonly peers: readonly PeerLink[]

  /** Resolves when every member knows the leader. */
  static async start(binary: string, folder: string, count: number): Promise<EtcdCluster> {
    const ports = await Promise.all(
      Array.from({ length: count }, async () => [await freePort(), await freePort()] as const),
    )
    const pids = (): number[] => members.map(({ daemon }) => daemon.pid)
    const peers = await Promise.all(ports.map(([, peer]) => PeerLink.open(peer, pids)))
    const initialCluster = peers.map(({ port }, at) => `m${at}=http://127.0.0.1:${port}`).join()
    const members: EtcdMember[] = ports.map(
      ([clientPort, peerPort], at) =>
        new EtcdMember({
          ...{ binary, folder, clientPort, peerPort, initialCluster },
          name: `m${at}`,
          advertisedPeerPort: peers[at]?.port ?? 0,
        }),
    )
    const cluster = new EtcdCluster(members, peers)
    for (const { daemon } of members) daemon.start()
    await cluster.ready()
    return cluster
  }

  private constructor(members: readonly EtcdMember[], peers: readonly PeerLink[]) {
    this.members = members
    this.peers = peers
  }

  /** Resolves when all members respond. */
  async ready(): Promise<void> {
    await eventually('etcd answers', startMs, async () => {
      const ready = await Promise.all(this.members.map((member) => member.isReady()))
      return ready.every(Boolean)
    })
  }

  /** Leader according to the members; undefined: none responds. */
  async leader(): Promise<EtcdMember | undefined> {
    const all = await Promise.all(this.members.map((one) => one.status().catch(() => undefined)))
    const leader = all.find((status) => status !== undefined && status.leader !== '0')?.leader
    const at = all.findIndex((status) => status?.id === leader)
    return leader === undefined ? undefined : this.members[at]
  }

  /** Isolates a member from the others, in both directions, or reconnects all. */
  isolate(member: EtcdMember | undefined): void {
    const at = member === undefined ? -1 : this.members.indexOf(member)
    for (const [index, link] of this.peers.entries()) {
      link.refuse(at === -1 ? [] : index === at ? 'all' : [at])
    }
  }

  killNow(): void {
    for (const { daemon } of this.members) daemon.killNow()
  }

  async stop(): Promise<void> {
    await Promise.all(this.members.map(({ daemon }) => daemon.end('SIGKILL')))
    await Promise.all(this.peers.map((link) => link.close()))
  }
}
