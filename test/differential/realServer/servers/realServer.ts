import { generateKeyPairSync } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { Agent } from 'node:https'
import { join } from 'node:path'
import { startServerOnEtcd } from '../../../peer/serverOnEtcd.ts'
import { post } from '../../call.ts'
import { send, type Side } from '../../side.ts'
import type { RealPrograms } from './programs.ts'

/** Running kube-apiserver without controllers, on its own etcd. */
export interface RealServer {
  side: Side
  /** Process of the API server. */
  pid: number
  /** Time from the start of both processes to the first successful response. */
  startMs: number
  stop: () => Promise<void>
}

/** Administrator with a UID of the same form, and the same groups, as on this server. */
const adminUid = '00000000-0000-4000-8000-000000000001'
const ownGroups = [
  'platform:authenticated',
  'platform:user:*',
  'platform:user:admin',
  'platform:entrant:cluster-admin',
]

const tokens = { admin: 'admin-token', bob: 'bob-token' }

/**
 * Starts both programs on an empty folder. @throws Error with the last output of a program that
 * does not start.
 */
export async function startRealServer(
  programs: RealPrograms,
  folder: string,
  flags: Readonly<Record<string, string>>,
): Promise<RealServer> {
  mkdirSync(folder, { recursive: true })
  const key = join(folder, 'serviceAccounts.key')
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  writeFileSync(key, privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const tokenFile = join(folder, 'tokens.csv')
  const groups = ['system:masters', 'system:authenticated', ...ownGroups].join(',')
  writeFileSync(tokenFile, `${tokens.admin},admin,${adminUid},"${groups}"\n${tokens.bob},bob,2\n`)
  const { server, port, startMs, stop } = await startServerOnEtcd({
    programs: { etcd: programs.etcd, server: programs.apiServer },
    folder,
    flags: {
      'advertise-address': '127.0.0.1',
      // A loopback address may not be an endpoint of the kubernetes Service.
      'endpoint-reconciler-type': 'none',
      'service-account-issuer': 'https://kubernetes.default.svc',
      'service-account-key-file': key,
      'service-account-signing-key-file': key,
      'service-cluster-ip-range': '10.96.0.0/12',
      'token-auth-file': tokenFile,
      'authorization-mode': 'RBAC',
      'allow-privileged': true,
      ...flags,
    },
    ready: { path: '/readyz', headers: { authorization: `Bearer ${tokens.admin}` } },
  })
  const agent = new Agent({ keepAlive: true })
  const side: Side = { name: 'peer', port, secure: true, tokens, agent }
  await send(side, post(`${defaultNamespace}/serviceaccounts`, { metadata: { name: 'default' } }))
  return {
    side,
    pid: server.child.pid ?? 0,
    startMs,
    stop: async () => {
      agent.destroy()
      await stop()
    },
  }
}

/** Namespace whose default objects are missing, because no controller runs. */
const defaultNamespace = '/api/v1/namespaces/default'
