import { connect as connectPlain } from 'node:net'
import { connect as connectSecure } from 'node:tls'
import { expect } from 'chai'
import { useTestServer } from '../endpoints/support/testServer.ts'

describe('the Host header of HTTP/1.1', () => {
  const server = useTestServer()

  /** Status line and body of the response to a raw request. */
  const answer = async (head: string[]): Promise<string[]> => {
    const { hostname, port, protocol } = new URL(server().running.url)
    const to = { host: hostname, port: Number(port), rejectUnauthorized: false }
    const socket = protocol === 'https:' ? connectSecure(to) : connectPlain(to)
    socket.write(['GET /version HTTP/1.1', ...head, 'Connection: close', '', ''].join('\r\n'))
    const chunks: Buffer[] = []
    for await (const chunk of socket) chunks.push(chunk as Buffer)
    const [top = '', body = ''] = Buffer.concat(chunks).toString().split('\r\n\r\n')
    return [top.split('\r\n')[0] ?? '', body.slice(0, 60)]
  }
  const upgrade = [
    ...['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'],
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
  ]

  for (const { name, head, reason } of [
    { name: 'is required', head: [], reason: 'Bad Request: missing required Host header' },
    { name: 'is sent once', head: ['Host: a', 'host: b'], reason: 'Bad Request' },
    {
      name: 'has the characters of a host',
      head: ['Host: a b'],
      reason: 'Bad Request: malformed Host header',
    },
  ]) {
    for (const { what, more } of [
      { what: 'a request', more: [] },
      { what: 'an upgrade', more: upgrade },
    ])
      it(`${name}, or ${what} is refused with 400`, async () => {
        expect(await answer([...head, ...more])).to.deep.equal([
          `HTTP/1.1 400 ${reason}`,
          `400 ${reason}`,
        ])
      })
  }

  for (const host of ['', 'example.com:6443', '[::1]:80', 'a_b'])
    it(`may be "${host}"`, async () => {
      expect((await answer([`Host: ${host}`]))[0]).to.equal('HTTP/1.1 200 OK')
    })
})
