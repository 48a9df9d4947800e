import { expect } from 'chai'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WebSocket } from 'ws'
import { isForeignOrigin } from '../../apiserver/endpoints/foreignOrigin.ts'
import { startServer } from '../../apiserver/server.ts'
import type {
  GivenServerOptions,
  RunningServer,
} from '../../apiserver/runtime/options/serverOptions.ts'
import { authority, certificate, type Issued } from '../support/certificates.ts'

const foreign = 'https://evil.example'
const allowed = 'https://console.example'

interface Opened {
  token?: string
  origin?: string
  cert?: Issued
}

describe('a websocket of a page of another host', () => {
  let folder: string
  let cert: Issued
  const running: Partial<Record<'plain' | 'cors', RunningServer>> = {}

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'origin-'))
    const clients = await authority('clients')
    const clientCaFile = join(folder, 'clients.crt')
    await writeFile(clientCaFile, clients.cert)
    cert = await certificate({ cn: 'jane', o: ['system:masters'] }, clients)
    const options: GivenServerOptions = {
      storage: 'memory',
      logLevel: 'silent',
      securePort: 0,
      shutdownGraceSeconds: 1,
      delegation: { clientCaFile },
    }
    running.plain = await startServer(options)
    running.cors = await startServer({ ...options, corsAllowedOrigins: [allowed] })
  })
  after(async () => {
    await Promise.all(Object.values(running).map((server) => server.stop()))
    await rm(folder, { recursive: true })
  })

  /** Status: 101, or that of the refusal. */
  const open = (
    name: 'plain' | 'cors',
    given: (server: RunningServer) => Opened,
  ): Promise<number> => {
    const server = running[name]
    if (server === undefined) throw new Error('the server is not started yet')
    const { token, origin, cert: client } = given(server)
    const protocol = 'base64url.bearer.authorization.k8s.io.'
    const protocols =
      token === undefined ? [] : [`${protocol}${Buffer.from(token).toString('base64url')}`, 'x']
    return new Promise((resolve, reject) => {
      const url = `${server.url.replace('https', 'wss')}/api/v1/namespaces?watch=1`
      const socket = new WebSocket(url, protocols, {
        rejectUnauthorized: false,
        ...(origin === undefined ? {} : { origin }),
        ...(client === undefined ? {} : { cert: client.cert, key: client.key }),
      })
      socket.once('open', () => {
        socket.terminate()
        resolve(101)
      })
      socket.once('unexpected-response', (_, response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      })
      socket.once('error', reject)
    })
  }

  it("is refused with only the browser's client certificate", async () => {
    for (const origin of [foreign, 'null', 'file://', 'https://127.0.0.1.evil.example', 'x'])
      expect(await open('plain', () => ({ cert, origin })), origin).to.equal(403)
    expect(await open('cors', () => ({ cert, origin: foreign }))).to.equal(403)
    // An invalid token does not help either.
    expect(await open('plain', () => ({ cert, origin: foreign, token: 'none' }))).to.equal(401)
  })

  it('is accepted with a certificate from no Origin, the own host, or an allowed origin', async () => {
    expect(await open('plain', () => ({ cert }))).to.equal(101)
    for (const name of ['plain', 'cors'] as const)
      expect(await open(name, ({ url }) => ({ cert, origin: url }))).to.equal(101)
    expect(await open('cors', () => ({ cert, origin: allowed }))).to.equal(101)
  })

  it('is accepted with a token, unless origins are configured', async () => {
    const given = ({ adminAccessKey: token }: RunningServer) => ({ token, cert, origin: foreign })
    expect(await open('plain', given)).to.equal(101)
    expect(await open('cors', given)).to.equal(403)
  })

  const cases: [string, string, boolean][] = [
    ['https://a.example', 'a.example', false],
    ['https://a.example', 'a.example:443', false],
    ['http://a.example:8080', 'a.example:8080', false],
    ['http://[::1]:8080', '[::1]:8080', false],
    ['https://A.example', 'a.EXAMPLE', false],
    ['https://a.example:8443', 'a.example', true],
    ['https://a.example', 'a.example:8443', true],
    ['https://b.example', 'a.example', true],
    ['https://a.example.evil', 'a.example', true],
    ['https://a.example@evil', 'a.example', true],
    ['null', 'a.example', true],
    ['', '', true],
  ]
  for (const [origin, host, want] of cases) {
    it(`${origin} on ${host} is ${want ? 'foreign' : 'the own host'}`, () => {
      expect(isForeignOrigin({ origin, host })).to.equal(want)
    })
  }
})
