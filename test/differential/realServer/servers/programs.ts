import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** The real kube-apiserver and its etcd. */
export interface RealPrograms {
  apiServer: string
  etcd: string
  /** Release of the API server: `v1.37.2`. */
  version: string
}

const hack = join(import.meta.dirname, '../../../../hack')

/** Programs built by hack/real-server/build.sh; a string: the reason why there are none. */
export function realPrograms(): RealPrograms | string {
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache')
  const folder = join(cache, 'platform-apiserver/real-server')
  const version = pinned('kubernetes-version')
  const etcd = join(folder, `etcd-${pinned('real-server/etcd-version')}`)
  const apiServer = join(folder, `kube-apiserver-${version}`)
  const missing = [etcd, apiServer].find((program) => !existsSync(program))
  if (missing !== undefined) return `${missing} is not there: run make real-server`
  return { apiServer, etcd, version }
}

function pinned(file: string): string {
  return readFileSync(join(hack, file), 'utf8').trim()
}
