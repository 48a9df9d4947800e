import type { GivenServerOptions } from '../../../apiserver/runtime/options/serverOptions.ts'
import { openTestServer, type TestServer } from '../../endpoints/support/testServer.ts'
import { Client } from './client.ts'

export const adminPassword = 'the password of the administrator'

/** Server with a client that is logged in as the administrator. */
export interface ClientServer extends TestServer {
  client: Client
  /** URL with TLS. */
  url: string
  /** PEM file of the server's certificate authority. */
  authority: string
  /** Another client of the same server, logged in with a key. */
  clientWith(key: string): Promise<Client>
}

/** Starts one server before the tests of a file, and stops it afterwards. */
export function useClientServer(
  given: GivenServerOptions = {},
  program = 'platform',
): () => ClientServer {
  let server: ClientServer | undefined
  const clients: Client[] = []
  before(async function () {
    this.timeout(60_000)
    server = await open()
  })
  after(async () => {
    for (const client of clients) client.remove()
    await server?.running.stop()
  })
  return () => {
    if (server === undefined) throw new Error('the server is not started yet')
    return server
  }

  async function open(): Promise<ClientServer> {
    const opened = await openTestServer({ adminPassword, ...given })
    const { url, caCertificate = '' } = opened.running
    const client = newClient()
    const authority = client.file('ca.crt', caCertificate)
    await client.ok(
      ['login', url, '--name', 'test', '--certificate-authority', authority, '--access-key'],
      {
        input: opened.running.adminAccessKey,
      },
    )
    const clientWith = async (key: string) => {
      const other = newClient()
      const trust = ['--certificate-authority', authority]
      await other.ok(['login', url, '--name', 'test', ...trust, '--access-key'], { input: key })
      return other
    }
    return { ...opened, client, url, authority, clientWith }
  }

  function newClient(): Client {
    const client = new Client(program)
    clients.push(client)
    return client
  }
}
