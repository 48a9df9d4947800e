import { Agent, get, request, type ClientRequest, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect } from 'chai'
import { usersPath } from '../support/objects.ts'
import { client, type Client, type Scenario } from '../support/scenario.ts'
import { ServerProcess, type Surroundings } from '../support/serverProcess.ts'

/** Time well below --shutdown-grace-seconds: the server has nothing left to wait for. */
const promptMs = 3_000

interface Connection {
  agent: Agent
  headers: Record<string, string>
  url: string
}

/** Client that keeps one connection, like connection pools. */
function connection(server: ServerProcess): Connection {
  const { token } = server.credentials()
  return {
    agent: new Agent({ keepAlive: true, maxSockets: 1 }),
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    url: server.urls.insecure + usersPath,
  }
}

async function responseOf(sent: ClientRequest): Promise<IncomingMessage> {
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return response
}

/** Create that sends only a part of its body; `end` sends the rest. */
async function halfSent({ url, ...options }: Connection, name: string) {
  const sent = request(url, { ...options, method: 'POST' })
  sent.write(`{"metadata":{"name":"${name}"},`)
  await once(sent, 'socket')
  return { answer: responseOf(sent), end: () => sent.end('"spec":{}}') }
}

async function openWatch({ url, ...options }: Connection): Promise<IncomingMessage> {
  return responseOf(get(`${url}?watch=true`, options))
}

const scenarios: readonly Scenario<ServerProcess>[] = [
  {
    name: 'SIGTERM ends a watch cleanly, and the process at once',
    run: async (server) => {
      const watch = await openWatch(connection(server))
      const ended = text(watch)
      const started = Date.now()
      await server.stop()
      expect(Date.now() - started).to.be.lessThan(promptMs)
      expect(await ended).to.match(/\}\n$/)
    },
  },
  {
    name: 'SIGTERM lets a request in flight end, closes its connection and ends at once',
    run: async (server) => {
      const watch = await openWatch(connection(server))
      const { answer, end } = await halfSent(connection(server), 'slow')
      // The response to another request shows that the first one reached the server.
      await server.client().get(`${usersPath}/admin`)
      const stopped = server.stop()
      await text(watch)
      end()
      const ended = Date.now()
      const response = await answer
      expect(response.statusCode).to.equal(201)
      await text(response)
      await stopped
      expect(Date.now() - ended, 'ms to the end of the process').to.be.lessThan(promptMs)
      expect(response.headers.connection).to.equal('close')
    },
  },
]

/** HTTP connections that are open when the server is asked to stop. */
export function shutdownClient(around: Surroundings): Client {
  return client({
    name: 'node:http keep-alive',
    scenarios,
    open: async () => new ServerProcess(around, 'shutdown'),
    forScenario: async (server) => {
      await server.start()
      return server
    },
    close: (server) => server.kill(),
  })
}
