import { realClock } from '../../apiserver/runtime/realClock.ts'
import { realRandom } from '../../apiserver/runtime/realRandom.ts'
import { startServer } from '../../apiserver/server.ts'
import type { RunningServer } from '../../apiserver/runtime/options/serverOptions.ts'
import type { ApiObject } from '../../apiserver/meta/types.ts'
import { openPlane } from '../../syncer/client/openPlane.ts'
import type { PlaneClient, PlaneResource } from '../../syncer/client/planeClient.ts'
import type { AddressTarget } from '../../syncer/client/syncTarget.ts'
import { startSyncer, type RunningSyncer } from '../../syncer/startSyncer.ts'

/** Two servers as a virtual cluster and its host, with a client of each. */
export interface TwoServers {
  virtual: PlaneClient
  host: PlaneClient
  targets: { virtual: AddressTarget; host: AddressTarget }
  /** Errors that a syncer reported. */
  errors: unknown[]
  startSyncer(config: unknown): Promise<RunningSyncer>
  stop(): Promise<void>
}

const namespaces: PlaneResource = {
  apiVersion: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  namespaced: false,
}

export async function startTwoServers(): Promise<TwoServers> {
  const servers = await Promise.all([startPlain(), startPlain()])
  const [virtualTarget, hostTarget] = servers.map(targetOf) as [AddressTarget, AddressTarget]
  const virtual = await openPlane(virtualTarget, realClock)
  const host = await openPlane(hostTarget, realClock)
  await host.create(namespaces, named('Namespace', { name: 'team-x' }))
  const errors: unknown[] = []
  return {
    virtual,
    host,
    targets: { virtual: virtualTarget, host: hostTarget },
    errors,
    startSyncer: async (config) => {
      const syncer = await startSyncer({
        virtual: virtualTarget,
        host: hostTarget,
        name: 'my-vcluster',
        hostNamespace: 'team-x',
        domain: 'platform',
        config,
        clock: realClock,
        random: realRandom,
        report: (error) => void errors.push(error),
      })
      await syncer.ready()
      return syncer
    },
    async stop() {
      virtual.close()
      host.close()
      await Promise.all(servers.map((server) => server.stop()))
    },
  }
}

export function named(kind: string, metadata: ApiObject['metadata']): ApiObject {
  return { apiVersion: 'v1', kind, metadata }
}

function startPlain(): Promise<RunningServer> {
  return startServer({
    storage: 'memory',
    securePort: 0,
    logLevel: 'silent',
    shutdownGraceSeconds: 0,
  })
}

function targetOf({ url, caCertificate, adminAccessKey }: RunningServer): AddressTarget {
  return { url, caCertificate, token: adminAccessKey }
}
