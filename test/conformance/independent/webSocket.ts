import { once } from 'node:events'
import { expect } from 'chai'
import WebSocket from 'ws'
import { eventually } from '../support/eventually.ts'
import { user, usersPath } from '../support/objects.ts'
import { client, type Client, type Scenario } from '../support/scenario.ts'
import { ServerProcess, type Surroundings } from '../support/serverProcess.ts'

interface Opening {
  protocols?: string[]
  headers?: Record<string, string>
  origin?: string
}

const prefix = '/kubernetes/management'

function open(server: ServerProcess, { protocols = [], ...options }: Opening): WebSocket {
  const url = `${server.urls.secure.replace('https', 'wss')}${prefix}${usersPath}?watch=true`
  const ca = server.credentials().certificateAuthority
  return new WebSocket(url, protocols, { ca, ...options })
}

const bearer = (server: ServerProcess) => ({
  Authorization: `Bearer ${server.credentials().token}`,
})

function bearerProtocol(token: string): string {
  const encoded = Buffer.from(token).toString('base64url')
  return `base64url.bearer.authorization.k8s.io.${encoded}`
}

/** Receives the admin, then a user that is added, changed and deleted, as text frames. */
async function seesChanges(server: ServerProcess, socket: WebSocket, name: string): Promise<void> {
  const frames: string[] = []
  socket.on('message', (data: Buffer, isBinary) => {
    expect(isBinary).to.equal(false)
    frames.push(data.toString())
  })
  await once(socket, 'open')
  await eventually(() => expect(frames).to.have.length(1))
  const api = server.client()
  await api.create(usersPath, user(name))
  await api.mergePatch(`${usersPath}/${name}`, { spec: { email: 'a@b.c' } })
  await api.delete(`${usersPath}/${name}`)
  await eventually(() => expect(frames).to.have.length(4))
  const events = frames.map((frame) => JSON.parse(frame) as { type: string })
  const types = events.map(({ type }) => type)
  expect(types).to.deep.equal(['ADDED', 'ADDED', 'MODIFIED', 'DELETED'])
  socket.close()
  await once(socket, 'close')
}

async function refusalOf(socket: WebSocket): Promise<number | undefined> {
  socket.on('error', () => undefined)
  // ws passes the request and its response.
  const [, response] = (await once(socket, 'unexpected-response')) as [
    unknown,
    { statusCode?: number },
  ]
  socket.terminate()
  return response.statusCode
}

const scenarios: readonly Scenario<ServerProcess>[] = [
  {
    name: 'a watch with an Authorization header, without Origin',
    run: (server) => seesChanges(server, open(server, { headers: bearer(server) }), 'no-origin'),
  },
  {
    name: 'a watch with an Origin, as browsers send it',
    run: (server) => {
      const socket = open(server, { headers: bearer(server), origin: 'https://console.example' })
      return seesChanges(server, socket, 'with-origin')
    },
  },
  {
    name: 'a watch whose token is a subprotocol, which is not echoed',
    run: async (server) => {
      const token = bearerProtocol(server.credentials().token)
      const socket = open(server, { protocols: ['base64.binary.k8s.io', token] })
      await seesChanges(server, socket, 'with-protocol')
      expect(socket.protocol).to.equal('base64.binary.k8s.io')
    },
  },
  {
    name: 'a bad token, or none: 401 before the upgrade',
    run: async (server) => {
      const protocols = ['base64.binary.k8s.io', bearerProtocol('bad')]
      expect(await refusalOf(open(server, { protocols }))).to.equal(401)
      expect(await refusalOf(open(server, {}))).to.equal(401)
      const headers = { Authorization: 'Bearer bad' }
      expect(await refusalOf(open(server, { headers }))).to.equal(401)
    },
  },
]

/** Websocket client of the package ws. */
export function webSocketClient(around: Surroundings): Client {
  return client({
    name: 'ws',
    scenarios,
    open: async () => {
      const server = new ServerProcess(around, 'websocket')
      await server.start()
      return server
    },
    close: (server) => server.stop(),
  })
}
