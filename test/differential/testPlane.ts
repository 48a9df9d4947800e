import { namespaceResource } from '../../apiserver/apis/kubernetes/core/namespace/namespace.ts'
import { ControlPlane } from '../../apiserver/controlPlane/controlPlane.ts'
import { ProtobufCodec } from '../../apiserver/encoding/protobuf/protobufCodec.ts'
import { inFlightLimits } from '../../apiserver/endpoints/chainServices.ts'
import { serveRequest } from '../../apiserver/endpoints/entry.ts'
import { FilterTallies } from '../../apiserver/endpoints/filterTallies.ts'
import { listen } from '../../apiserver/http/listeners.ts'
import type { UserInfo } from '../../apiserver/meta/types.ts'
import { PlaneKinds } from '../../apiserver/controlPlane/planeKinds.ts'
import { realClock } from '../../apiserver/runtime/realClock.ts'
import { realRandom } from '../../apiserver/runtime/realRandom.ts'
import { LevelStorage } from '../../apiserver/storage/level/levelStorage.ts'
import { fischers, flunders, newerFlunders } from './wardleKinds.ts'
import { bareDefinitions } from '../support/kinds/bareDefinitions.ts'

export interface TestPlane {
  /** Port of plain HTTP on 127.0.0.1. */
  port: number
  close: () => Promise<void>
}

/**
 * Control plane in memory with only namespaces and the kinds of the sample API server, behind the
 * whole filter chain. Members of `system:masters` have all rights, others none.
 */
export async function openTestPlane(users: ReadonlyMap<string, UserInfo>): Promise<TestPlane> {
  const shared = { clock: realClock, random: realRandom }
  const storage = await LevelStorage.open({ location: undefined, clock: realClock })
  const plane = new ControlPlane({
    ...shared,
    keyPrefix: '/differential/',
    kinds: new PlaneKinds([namespaceResource, flunders, newerFlunders, fischers], {
      title: 'Sample',
      build: { serverVersion: 'v1.35.10', gitCommit: '', buildDate: '', platform: '', runtime: '' },
      definitions: bareDefinitions,
      serverPaths: [],
    }),
    storage,
    authorize: ({ user }) => ({ allowed: user.groups.includes('system:masters'), reason: '' }),
    serveServerPath: async () => false,
    report: (error) => {
      throw error
    },
  })
  const entry = {
    ...shared,
    protobuf: new ProtobufCodec(),
    authenticator: { authenticate: (token: string) => users.get(token) },
    authenticatesVersion: () => false,
    tallies: new FilterTallies(() => realClock.now()),
    limits: inFlightLimits(400, 200),
    isStopping: () => false,
    allowsOrigin: undefined,
    report: (error: unknown) => void process.stderr.write(`${String(error)}\n`),
    planeFor: (path: string) => ({ plane, path }),
    observe: () => undefined,
  }
  const listener = await listen({
    serve: (request, response, openWebSocket) =>
      serveRequest(request, response, entry, { openWebSocket }),
    address: '127.0.0.1',
    port: 0,
  })
  return {
    port: listener.port,
    close: async () => {
      plane.close()
      await listener.close(0)
      await storage.close()
    },
  }
}
