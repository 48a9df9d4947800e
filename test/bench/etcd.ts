import { EtcdServer } from '../support/etcd/etcdServer.ts'

/** Flags of a member that is measured: it writes to disk, and holds more than the default. */
const flags = ['--unsafe-no-fsync=false', '--quota-backend-bytes', String(8 * 1024 ** 3)]

/** Starts a member that does not outlive this process. */
export async function startEtcd(program: string): Promise<EtcdServer> {
  const etcd = await EtcdServer.start(program, flags)
  process.once('exit', () => etcd.removeNow())
  return etcd
}
