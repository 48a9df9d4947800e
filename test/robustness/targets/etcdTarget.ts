import { mkdirSync } from 'node:fs'
import { EtcdCluster } from '../machine/etcdCluster.ts'
import { Link } from '../machine/link.ts'
import { platformReplica } from './platformReplica.ts'
import type { Replica, Target, TargetOptions } from './target.ts'

export const memberCount = 3

/** Servers over three members of etcd. */
export async function openEtcdTarget({ folder, etcd, replicas }: TargetOptions): Promise<Target> {
  if (etcd === undefined) throw new Error('etcd not found: hack/real-server/build.sh etcd')
  mkdirSync(folder, { recursive: true })
  const cluster = await EtcdCluster.start(etcd, folder, memberCount)
  const started: Replica[] = []
  const links: Link[] = []
  for (let at = 0; at < replicas; at++) {
    const own = await Promise.all(cluster.members.map((member) => Link.open(member.clientPort)))
    links.push(...own)
    const servers = own.map(({ port }) => `http://127.0.0.1:${port}`).join()
    const flags = ['--storage', 'etcd', '--etcd-servers', servers]
    started.push(await platformReplica({ name: `r${at}`, folder, flags, links: own }))
  }
  return {
    replicas: started,
    etcd: cluster,
    leader: () => leaderOf(started),
    stop: async () => {
      await Promise.all(started.map(({ daemon }) => daemon.end('SIGKILL')))
      await cluster.stop()
      await Promise.all(links.map((link) => link.close()))
    },
    killNow: () => {
      for (const { daemon } of started) daemon.killNow()
      cluster.killNow()
    },
  }
}

const lease = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/platform-controllers'

/** Replica that holds the Lease: its log contains its identity. */
async function leaderOf(replicas: readonly Replica[]): Promise<Replica | undefined> {
  const asked = { method: 'GET', path: `${lease}?resourceVersion=0` }
  for (const { connection } of replicas) {
    const answer = await connection.request(asked, 2_000).catch(() => undefined)
    if (answer?.status !== 200) continue
    const { spec } = JSON.parse(answer.text) as { spec?: { holderIdentity?: string } } // a Lease
    const holder = spec?.holderIdentity
    if (!holder) return undefined
    return replicas.find(({ daemon }) => daemon.hasLogged(`"identity":"${holder}"`))
  }
  return undefined
}
