import { startServer, type Surroundings } from '../../../apiserver/server.ts'
import type {
  GivenServerOptions,
  RunningServer,
} from '../../../apiserver/runtime/options/serverOptions.ts'
import { wantedStorage } from '../../support/etcd/wantedStorage.ts'
import { HttpClient } from './httpClient.ts'

/** Server of one test file, with its clients. */
export interface TestServer {
  /** Client with the admin's key, over plain HTTP. */
  admin: HttpClient
  running: RunningServer
}

/** Paths of the kinds used in tests: namespaced and cluster-scoped. */
export const management = '/apis/management.platform/v1'
export const users = `${management}/users`
export const secrets = `${management}/namespaces/default/sharedsecrets`
export const namespaces = '/api/v1/namespaces'

/** Server with storage in memory, on free ports; with STORAGE=etcd, on an etcd. */
export async function openTestServer(
  given: GivenServerOptions = {},
  surroundings: Partial<Surroundings> = {},
): Promise<TestServer> {
  const options: GivenServerOptions = {
    ...(await wantedStorage()),
    securePort: 0,
    insecurePort: 0,
    logLevel: 'silent',
    shutdownGraceSeconds: 1,
    ...given,
  }
  const running = await startServer(options, surroundings)
  return { running, admin: clientOf(running) }
}

/** Client with a bearer token, by default that of the admin. */
export function clientOf(running: RunningServer, token = running.adminAccessKey): HttpClient {
  return new HttpClient(running.insecureUrl ?? running.url, { authorization: `Bearer ${token}` })
}

/** Starts one server before the tests of a file and stops it afterwards. */
export function useTestServer(given: GivenServerOptions = {}): () => TestServer {
  let server: TestServer | undefined
  before(async () => {
    server = await openTestServer(given)
  })
  after(async () => {
    await server?.running.stop()
  })
  return () => {
    if (server === undefined) throw new Error('the server is not started yet')
    return server
  }
}

/** Creates a user without rights, and a key, over the API. */
export async function openBob({ admin, running }: TestServer, name = 'bob'): Promise<HttpClient> {
  await admin.post(users, { metadata: { name }, spec: { subject: name } })
  const key = await admin.post(`${management}/ownedaccesskeys`, {
    metadata: { name },
    spec: { user: name, type: 'User' },
  })
  return clientOf(running, String(key.field('spec', 'key')))
}
