import { disabledPlugins } from './peerProcess.ts'
import type { PeerPrograms } from './peerPrograms.ts'
import { startServerOnEtcd } from './serverOnEtcd.ts'

/**
 * Server to which the peer delegates token reviews and access reviews, and where it reads
 * namespaces.
 */
export interface CoreServer {
  kubeconfig: string
  /** Token of the administrator. */
  token: string
  /** True if the config map with the client CAs is required. Default false. */
  tellsCertificates?: boolean
}

/** Running sample API server on its own etcd. */
export interface PeerServer {
  /** Port of HTTPS on 127.0.0.1. */
  port: number
  pid: number
  etcdPid: number
  token: string
  /** Time from the start of both processes to the first authenticated list. */
  startMs: number
  stop: () => Promise<void>
}

/** Reads a path that the peer serves only when it is ready. */
const firstList = '/apis/wardle.example.com/v1alpha1/namespaces/default/flunders'

/**
 * Starts both on an empty folder. @throws Error with the last output of a program that does not
 * start.
 */
export async function startPeer(
  programs: PeerPrograms,
  { kubeconfig, token, tellsCertificates = false }: CoreServer,
  folder: string,
): Promise<PeerServer> {
  const { server, etcd, ...started } = await startServerOnEtcd({
    programs: { etcd: programs.etcd, server: programs.apiServer },
    folder,
    kubeconfig,
    flags: {
      'authentication-tolerate-lookup-failure': !tellsCertificates,
      'disable-admission-plugins': disabledPlugins.join(','),
    },
    ready: { path: firstList, headers: { authorization: `Bearer ${token}` } },
  })
  return { ...started, pid: server.child.pid ?? 0, etcdPid: etcd.child.pid ?? 0, token }
}
