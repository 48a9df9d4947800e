import { disabledPlugins } from '../../peer/peerProcess.ts'
import { startServerOnEtcd } from '../../peer/serverOnEtcd.ts'

export interface AggregatorPrograms {
  aggregator: string
  etcd: string
}

export interface AggregatorOptions {
  programs: AggregatorPrograms
  /** Folder for its data; empty or missing. */
  folder: string
  /** Kubeconfig of the core server: services, token reviews, access reviews and client CAs. */
  kubeconfig: string
  /** Certificate for connections to extensions, and its key: files. */
  proxyCertificate: { cert: string; key: string }
}

/** The real aggregator, standalone, on its own etcd. */
export interface Aggregator {
  url: string
  /** Last output. */
  words(): string
  stop(): Promise<void>
}

/** @throws Error with the last output of a program that does not start. */
export async function startAggregator(options: AggregatorOptions): Promise<Aggregator> {
  const { programs, folder, kubeconfig, proxyCertificate } = options
  const plugins = disabledPlugins.filter((name) => name !== 'BanFlunder')
  const { server, port, stop } = await startServerOnEtcd({
    programs: { etcd: programs.etcd, server: programs.aggregator },
    folder,
    kubeconfig,
    flags: {
      'authorization-webhook-cache-unauthorized-ttl': '1s',
      'proxy-client-cert-file': proxyCertificate.cert,
      'proxy-client-key-file': proxyCertificate.key,
      'disable-admission-plugins': plugins.join(','),
    },
    ready: { path: '/readyz' },
  })
  return { url: `https://127.0.0.1:${port}`, words: server.words, stop }
}
