import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { GivenServerOptions } from '../../../apiserver/runtime/options/serverOptions.ts'
import { EtcdServer, findEtcd } from './etcdServer.ts'

let shared: Promise<EtcdServer> | undefined

/**
 * Storage of test servers: in memory, or with STORAGE=etcd in one etcd, each with a separate
 * prefix.
 */
export async function wantedStorage(): Promise<GivenServerOptions> {
  if (process.env.STORAGE !== 'etcd') return { storage: 'memory' }
  shared ??= startShared()
  const { endpoint } = await shared
  const dataDir = mkdtempSync(join(tmpdir(), 'etcd-server-'))
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }))
  return {
    storage: 'etcd',
    dataDir,
    etcd: { servers: [endpoint], prefix: `/test/${randomUUID()}` },
  }
}

/** Shared etcd that ends with the process. */
async function startShared(): Promise<EtcdServer> {
  const binary = findEtcd()
  if (binary === undefined) throw new Error('STORAGE=etcd: etcd not found')
  const etcd = await EtcdServer.start(binary)
  process.setMaxListeners(0)
  process.once('exit', () => etcd.removeNow())
  return etcd
}
