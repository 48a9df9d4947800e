import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../support/etcd/etcdServer.ts'
import { Daemon } from '../machine/daemon.ts'
import { eventually } from '../machine/eventually.ts'
import type { Link } from '../machine/link.ts'
import { Connection } from '../traffic/connection.ts'
import { Faketime } from '../machine/faketime.ts'
import type { Replica } from './target.ts'

const main = join(import.meta.dirname, '../../../dist/apiserver/main.js')
const startMs = 60_000

export interface PlatformReplicaOptions {
  name: string
  folder: string
  flags: readonly string[]
  links: readonly Link[]
}

/** Starts the built server; resolves when it is ready. */
export async function platformReplica(options: PlatformReplicaOptions): Promise<Replica> {
  const { name, folder, flags, links } = options
  const dataDir = join(folder, name)
  const port = await freePort()
  const faketime = Faketime.find(join(folder, `${name}.time`))
  const own = ['--data-dir', dataDir, '--secure-port', '0', '--insecure-port', String(port)]
  const daemon = new Daemon({
    name,
    command: [process.execPath, main, 'serve', ...own, ...flags, '--shutdown-grace-seconds', '1'],
    env: { ...process.env, ...faketime?.env },
    log: join(folder, `${name}.log`),
  })
  daemon.start()
  const url = `http://127.0.0.1:${port}`
  const anonymous = new Connection(url, {})
  await eventually(`${name} is ready`, startMs, async () => {
    if (!daemon.isRunning) throw new Error(daemon.words())
    const answer = await anonymous
      .request({ method: 'GET', path: '/readyz' }, 1_000)
      .catch(() => undefined)
    return answer?.status === 200
  })
  anonymous.close()
  const key = readFileSync(join(dataDir, 'admin-access-key'), 'utf8').trim()
  const connection = new Connection(url, { authorization: `Bearer ${key}` })
  const setClock = faketime && ((seconds: number) => faketime.set(seconds))
  return { daemon, connection, links, ...(setClock !== undefined && { setClock }) }
}
