import { EtcdServer } from '../support/etcd/etcdServer.ts'

/** Flags of a measured member: it writes to disk, and its limit on the database size is raised. */
const flags = ['--unsafe-no-fsync=false', '--quota-backend-bytes', String(8 * 1024 ** 3)]

/** Starts a member that ends with this process at the latest. */
export async function startEtcd(program: string): Promise<EtcdServer> {
  const etcd = await EtcdServer.start(program, flags)
  process.once('exit', () => etcd.removeNow())
  return etcd
}
