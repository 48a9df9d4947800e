import { expect } from 'chai'
import { connect as connectHttp2 } from 'node:http2'
import { connect as connectTls } from 'node:tls'
import { text } from 'node:stream/consumers'
import { RawSocket } from '../endpoints/support/rawSocket.ts'
import { useTestServer, users } from '../endpoints/support/testServer.ts'

describe('a CONNECT request is handled like an unknown path', () => {
  const server = useTestServer()
  const head = (token?: string) =>
    'CONNECT db.internal:5432 HTTP/1.1\r\nHost: db.internal:5432\r\n' +
    (token === undefined ? '' : `Authorization: Bearer ${token}\r\n`) +
    '\r\n'

  it('unauthenticated, over plain HTTP: 401, and the connection ends', async () => {
    const raw = await RawSocket.open(server().admin.port)
    raw.write(head())
    const answer = await raw.untilClosed()
    expect(answer).to.match(/^HTTP\/1\.1 401 Unauthorized\r\n/)
    expect(answer).to.contain('\r\nConnection: close\r\n')
    expect(answer).to.contain('"message":"Unauthorized"')
  })

  it('without the right, over plain HTTP: 403', async () => {
    const { admin } = server()
    const made = await admin.post(users, { metadata: { name: 'bob' }, spec: { subject: 'bob' } })
    expect(made.status).to.equal(201)
    const key = await admin.post(users.replace(/users$/, 'ownedaccesskeys'), {
      metadata: { name: 'bob' },
      spec: { user: 'bob', type: 'User' },
    })
    const raw = await RawSocket.open(admin.port)
    raw.write(head(String(key.field('spec', 'key'))))
    expect(await raw.untilClosed()).to.contain(
      '"message":"forbidden: User \\"bob\\" cannot connect path \\"\\"","reason":"Forbidden"',
    )
  })

  it('as admin, over TLS: 404', async () => {
    const { url, caCertificate: ca, adminAccessKey } = server().running
    const options = { host: '127.0.0.1', port: Number(new URL(url).port), ca }
    const socket = connectTls(options, () => socket.write(head(adminAccessKey)))
    const answer = await text(socket)
    expect(answer).to.match(/^HTTP\/1\.1 404 Not Found\r\n/)
  })

  it('over HTTP/2: 401 and 404, and the connection continues', async () => {
    const { url, caCertificate: ca, adminAccessKey } = server().running
    const session = connectHttp2(url, { ca })
    const ask = async (headers: Record<string, string>): Promise<unknown> => {
      const stream = session.request({ ':method': 'CONNECT', ':authority': 'db:1', ...headers })
      const status = new Promise((resolve) =>
        stream.once('response', (found) => resolve(found[':status'])),
      )
      stream.end()
      await text(stream)
      return status
    }
    const authorization = `Bearer ${adminAccessKey}`
    expect([await ask({}), await ask({ authorization })]).to.deep.equal([401, 404])
    session.close()
  })
})
