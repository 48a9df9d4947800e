import { generateKeyPairSync } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { realPrograms } from '../../differential/realServer/servers/programs.ts'
import { freePort } from '../../support/etcd/etcdServer.ts'
import { Daemon } from '../machine/daemon.ts'
import { EtcdCluster } from '../machine/etcdCluster.ts'
import { eventually } from '../machine/eventually.ts'
import { Link } from '../machine/link.ts'
import { Connection } from '../traffic/connection.ts'
import { memberCount } from './etcdTarget.ts'
import type { Replica, Target, TargetOptions } from './target.ts'

const token = 'admin-token'
const startMs = 120_000

/** Real kube-apiservers over three members of etcd. No controllers run. */
export async function openKubeApiserverTarget({
  folder,
  replicas,
}: TargetOptions): Promise<Target> {
  const programs = realPrograms()
  if (typeof programs === 'string') throw new Error(programs)
  mkdirSync(folder, { recursive: true })
  const shared = writeShared(folder)
  const cluster = await EtcdCluster.start(programs.etcd, folder, memberCount)
  const links: Link[] = []
  const started: Replica[] = []
  for (let at = 0; at < replicas; at++) {
    const own = await Promise.all(cluster.members.map((member) => Link.open(member.clientPort)))
    links.push(...own)
    const servers = own.map(({ port }) => `http://127.0.0.1:${port}`).join()
    const place = { name: `r${at}`, folder, port: await freePort() }
    const flags = { ...shared, ...flagsOf(place), 'etcd-servers': servers }
    started.push(await start(place, [programs.apiServer, ...asFlags(flags)], own))
  }
  return {
    replicas: started,
    etcd: cluster,
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

interface Place {
  name: string
  folder: string
  port: number
}

async function start(
  { name, folder, port }: Place,
  command: readonly string[],
  links: readonly Link[],
): Promise<Replica> {
  const daemon = new Daemon({ name, command, log: join(folder, `${name}.log`) })
  daemon.start()
  const headers = { authorization: `Bearer ${token}` }
  const connection = new Connection(`https://127.0.0.1:${port}`, headers)
  await eventually(`${name} is ready`, startMs, async () => {
    if (!daemon.isRunning) throw new Error(daemon.words())
    const asked = { method: 'GET', path: '/readyz' }
    const answer = await connection.request(asked, 1_000).catch(() => undefined)
    return answer?.status === 200
  })
  return { daemon, connection, links }
}

/** Files and flags common to all of them. */
function writeShared(folder: string): Record<string, string> {
  const key = join(folder, 'serviceAccounts.key')
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  writeFileSync(key, privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const tokens = join(folder, 'tokens.csv')
  writeFileSync(tokens, `${token},admin,1,system:masters\n`)
  return {
    'service-account-key-file': key,
    'service-account-signing-key-file': key,
    'token-auth-file': tokens,
  }
}

function flagsOf({ name, folder, port }: Place): Record<string, string> {
  return {
    'secure-port': String(port),
    'bind-address': '127.0.0.1',
    'advertise-address': '127.0.0.1',
    // A loopback address may not be an endpoint of the kubernetes Service.
    'endpoint-reconciler-type': 'none',
    'cert-dir': join(folder, `${name}-certificates`),
    'service-account-issuer': 'https://kubernetes.default.svc',
    'service-cluster-ip-range': '10.96.0.0/12',
    'authorization-mode': 'RBAC',
  }
}

function asFlags(flags: Readonly<Record<string, string>>): string[] {
  return Object.entries(flags).map(([name, value]) => `--${name}=${value}`)
}
