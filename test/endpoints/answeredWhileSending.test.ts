import { expect } from 'chai'
import { connect as connectTcp } from 'node:net'
import { connect } from 'node:tls'
import { clientOf, users, useTestServer } from './support/testServer.ts'

const eightMiB = Buffer.alloc(8 * 1024 * 1024, ' ')

describe('responses to HTTP/1.1 clients that send a whole body before reading', () => {
  const server = useTestServer()

  const open = (goesOnSending: boolean) => {
    const { hostname, port } = new URL(server().running.url)
    const bare = connectTcp({ host: hostname, port: Number(port), allowHalfOpen: goesOnSending })
    const socket = connect({ socket: bare, rejectUnauthorized: false })
    socket.allowHalfOpen = goesOnSending
    let text = ''
    socket.setEncoding('latin1').on('data', (part: string) => (text += part))
    const ended = new Promise<string>((resolve) => {
      socket.once('error', () => resolve(text))
      socket.once('close', () => resolve(text))
    })
    return { socket, ended }
  }
  const head = (path: string, length: number) =>
    [
      `POST ${path} HTTP/1.1`,
      'Host: a',
      `Authorization: Bearer ${server().running.adminAccessKey}`,
      'Content-Type: application/json',
      `Content-Length: ${length}`,
      '',
      '',
    ].join('\r\n')

  for (const path of [users, '/auth/password/login']) {
    it(`${path}: a body of 8 MiB gets 413, twenty times`, async function () {
      this.timeout(20_000)
      for (let time = 0; time < 20; time++) {
        const { socket, ended } = open(false)
        socket.write(head(path, eightMiB.length))
        const error = await new Promise((sent) => socket.write(eightMiB, sent))
        expect(error ?? undefined).to.equal(undefined)
        expect(await ended).to.match(/^HTTP\/1\.1 413 .*limit is \d+.*\}\n$/s)
      }
    })
  }

  it('a client that sends its body slowly is cut off half a second after the response', async () => {
    const { socket, ended } = open(true)
    socket.write(head(users, 2 ** 40))
    const drops = setInterval(() => socket.write('x'), 20)
    const started = performance.now()
    expect(await ended).to.match(/^HTTP\/1\.1 413 /)
    clearInterval(drops)
    expect(performance.now() - started).to.be.within(300, 5_000)
    const answer = await clientOf(server().running).get(`${users}/admin`)
    expect(answer.status).to.equal(200)
  })
})
