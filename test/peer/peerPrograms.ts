import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** Public sample API server of the real library, and its etcd. */
export interface PeerPrograms {
  apiServer: string
  etcd: string
}

/** Release of `k8s.io/sample-apiserver`. */
export const peerVersion = 'v0.35.10'

/** The first build compiles the whole library with one low-priority process; later ones find it. */
const buildMs = 1_500_000
const downloadMs = 120_000

/**
 * Finds the programs, or fetches and builds them into the user's cache folder; a string: the reason
 * why they are unavailable.
 */
export function peerPrograms(): PeerPrograms | string {
  const folder = cacheFolder()
  const etcd = findEtcd(folder)
  if (etcd === undefined) return noEtcd
  const apiServer = join(folder, `sample-apiserver-${peerVersion}`)
  const reason = existsSync(apiServer) ? undefined : buildApiServer(folder, apiServer)
  return reason ?? { apiServer, etcd }
}

/** Etcd for servers of the real library; `missing`: the reason why there is none. */
export function etcdProgram(): { program: string } | { missing: string } {
  const program = findEtcd(cacheFolder())
  return program === undefined ? { missing: noEtcd } : { program }
}

const noEtcd = 'no etcd on PATH, and the package etcd-server cannot be fetched'

function cacheFolder(): string {
  const folder = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'apiserver-peer')
  mkdirSync(folder, { recursive: true })
  return folder
}

/** Builds the API server. Returns the error; undefined: success. */
function buildApiServer(folder: string, target: string): string | undefined {
  if (spawnSync('go', ['version']).status !== 0) return 'no go on PATH'
  const env = { ...process.env, GOBIN: folder, GOFLAGS: '-p=1', GOTOOLCHAIN: 'local' }
  const module = `k8s.io/sample-apiserver@${peerVersion}`
  const command = ['-n', '19', 'go', 'install', module]
  const built = spawnSync('nice', command, { env, timeout: buildMs, encoding: 'utf8' })
  const program = join(folder, 'sample-apiserver')
  if (built.status !== 0 || !existsSync(program)) {
    const last = built.stderr.trim().split('\n').at(-1) ?? ''
    return `go install ${module}: ${last}`
  }
  renameSync(program, target)
  return undefined
}

/**
 * Path of the installed etcd, or of that of Debian's package, which is unpacked without
 * installation.
 */
function findEtcd(folder: string): string | undefined {
  const onPath = spawnSync('etcd', ['--version']).status === 0
  if (onPath) return 'etcd'
  const unpacked = join(folder, 'etcd')
  const program = join(unpacked, 'usr/bin/etcd')
  if (!existsSync(program)) unpackEtcd(folder, unpacked)
  return existsSync(program) ? program : undefined
}

function unpackEtcd(folder: string, unpacked: string): void {
  const options = { cwd: folder, timeout: downloadMs }
  if (spawnSync('apt-get', ['download', 'etcd-server'], options).status !== 0) return
  const file = readdirSync(folder).find((name) => /^etcd-server_.*\.deb$/.test(name))
  if (file === undefined) return
  spawnSync('dpkg-deb', ['-x', file, unpacked], options)
  rmSync(join(folder, file))
}
