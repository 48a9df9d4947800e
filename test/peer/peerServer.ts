import { disabledPlugins } from './peerProcess.ts'
import type { PeerPrograms } from './peerPrograms.ts'
import { startServerOnEtcd } from './serverOnEtcd.ts'

/** The server that the peer asks who a token stands for, who may do what, and which namespaces there are. */
export interface CoreServer {
  kubeconfig: string
  /** The administrator's. */
  token: string
  /** True if the config map with the client CAs is required. Default false. */
  tellsCertificates?: boolean
}

/** A running sample API server on an etcd of its own. */
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

/** Starts both on an empty folder. @throws Error with the last words of one that does not come up. */
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
