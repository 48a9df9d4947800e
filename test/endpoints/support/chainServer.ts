import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { AuditLog } from '../../../apiserver/audit/auditLog.ts'
import { inFlightLimits, type InFlightLimits } from '../../../apiserver/endpoints/chainServices.ts'
import { ProtobufCodec } from '../../../apiserver/encoding/protobuf/protobufCodec.ts'
import { FilterTallies } from '../../../apiserver/endpoints/filterTallies.ts'
import { serveRequest } from '../../../apiserver/endpoints/entry.ts'
import type { Exchange, Plane } from '../../../apiserver/endpoints/exchange.ts'
import type { Authorizer } from '../../../apiserver/authorization/authorizer.ts'
import type { ResourceDefinition } from '../../../apiserver/registry/resource.ts'
import { ResourceSet } from '../../../apiserver/registry/resourceSet.ts'
import type { Store } from '../../../apiserver/registry/store.ts'
import { FakeClock } from '../../support/fakes/fakeClock.ts'
import { FakeRandom } from '../../support/fakes/fakeRandom.ts'
import { HttpClient } from './httpClient.ts'

export interface ChainServerOptions {
  /** Handler of paths outside the API. False: 404. */
  serveDocument?: (exchange: Exchange) => Promise<boolean>
  limits?: Partial<InFlightLimits>
  audit?: AuditLog
  /** Default: everything is allowed. */
  authorize?: Authorizer
  allowsOrigin?: (origin: string) => boolean
  /** Resources of the API, and their stores. */
  resources?: readonly ResourceDefinition[]
  storeOf?: (resource: ResourceDefinition) => Store
  isStopping?: () => boolean
}

/**
 * The filter chain alone, on a fake clock, in front of the given handlers. Tokens: `master`, `bob`,
 * `ann`.
 */
export interface ChainServer {
  clock: FakeClock
  port: number
  limits: InFlightLimits
  tallies: FilterTallies
  reported: unknown[]
  as(token: string): HttpClient
  close(): Promise<void>
}

const groups: Readonly<Record<string, string[]>> = { master: ['system:masters'], bob: [], ann: [] }

export async function openChainServer(options: ChainServerOptions = {}): Promise<ChainServer> {
  const clock = new FakeClock()
  const limits = { ...inFlightLimits(400, 200), ...options.limits }
  const reported: unknown[] = []
  const tallies = new FilterTallies(() => clock.now())
  const plane: Plane = {
    resources: new ResourceSet(options.resources ?? []),
    storeOf: (resource) => {
      if (options.storeOf !== undefined) return options.storeOf(resource)
      throw new Error('this plane has no stores')
    },
    authorize: options.authorize ?? (() => ({ allowed: true, reason: '' })),
    serveDocument: options.serveDocument ?? (async () => false),
  }
  const entry = {
    clock,
    random: new FakeRandom(),
    authenticator: {
      authenticate: (token: string) => {
        const found = groups[token]
        return found && { name: token, uid: '', groups: found, extra: {} }
      },
    },
    authenticatesVersion: () => false,
    limits,
    tallies,
    audit: options.audit,
    isStopping: () => options.isStopping?.() === true,
    protobuf: new ProtobufCodec(),
    allowsOrigin: options.allowsOrigin,
    report: (error: unknown) => void reported.push(error),
    planeFor: (path: string) => ({ plane, path }),
    observe: () => undefined,
  }
  const server = createServer((request, response) => {
    void serveRequest(request, response, entry)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A listening TCP server has an address object.
  const { port } = server.address() as AddressInfo
  return {
    clock,
    port,
    limits,
    tallies,
    reported,
    as: (token) => new HttpClient(`http://127.0.0.1:${port}`, { authorization: `Bearer ${token}` }),
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
