import { expect } from 'chai'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import type { OutgoingHttpHeaders } from 'node:http'
import protobuf from 'protobufjs/light.js'
import { WebSocket } from 'ws'
import { ProtobufCodec } from '../../../apiserver/encoding/protobuf/protobufCodec.ts'
import { Answer } from '../support/httpClient.ts'
import { RawSocket } from '../support/rawSocket.ts'
import { badRequest, failure, methodNotAllowed, routeNotFound } from '../support/status.ts'
import { users, useTestServer } from '../support/testServer.ts'

const tokenProtocol = (token: string) =>
  `base64url.bearer.authorization.k8s.io.${Buffer.from(token).toString('base64url')}`

/** Source: meta.k8s.io/v1 WatchEvent and RawExtension. */
const watchEventProto = {
  nested: {
    RawExtension: { fields: { raw: { type: 'bytes', id: 1 } } },
    WatchEvent: {
      fields: { type: { type: 'string', id: 1 }, object: { type: 'RawExtension', id: 2 } },
    },
  },
}

describe('a watch over a websocket', () => {
  const server = useTestServer()
  const authorization = () => ({ authorization: `Bearer ${server().running.adminAccessKey}` })
  const url = (path: string) => (server().running.insecureUrl ?? '').replace('http', 'ws') + path

  const open = async (
    path: string,
    protocols: string[] = [],
    headers: OutgoingHttpHeaders = authorization(),
  ): Promise<{ socket: WebSocket; messages: AsyncIterator<[Buffer, boolean]> }> => {
    // The library accepts more than its type of headers allows.
    const socket = new WebSocket(url(path), protocols, {
      headers: headers as Record<string, string>,
    })
    const messages = messagesOf(socket)
    await once(socket, 'open')
    return { socket, messages }
  }

  /** Response to a refused upgrade. */
  const refused = (path: string, headers: OutgoingHttpHeaders, method = 'GET'): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const request = httpRequest(`${server().running.insecureUrl}${path}`, {
        method,
        headers: {
          connection: 'Upgrade',
          upgrade: 'websocket',
          'sec-websocket-version': '13',
          'sec-websocket-key': randomBytes(16).toString('base64'),
          ...headers,
        },
      })
      request.on('upgrade', (_, socket) => {
        socket.destroy()
        reject(new Error('the upgrade was accepted'))
      })
      request.on('error', reject)
      request.on('response', (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => resolve(new Answer(response, Buffer.concat(chunks))))
      })
      request.end()
    })

  it('sends one event per text message, with its line end; no Origin is required (reference 5.4)', async () => {
    const { socket, messages } = await open(`${users}?watch=1`)
    const { value } = (await messages.next()) as { value: [Buffer, boolean] }
    const [data, isBinary] = value
    const event = JSON.parse(data.toString()) as Record<string, unknown>
    expect([isBinary, data.toString().endsWith('}\n'), event['type']]).to.deep.equal([
      false,
      true,
      'ADDED',
    ])
    expect(socket.protocol).to.equal('')
    socket.terminate()
  })

  it('sends simultaneous events as separate messages (reference 5.4)', async () => {
    const { admin } = server()
    const version = String((await admin.get(users)).field('metadata', 'resourceVersion'))
    const { socket, messages } = await open(`${users}?watch=1&resourceVersion=${version}`)
    const names = ['ws-1', 'ws-2', 'ws-3', 'ws-4']
    await Promise.all(names.map((name) => admin.post(users, { metadata: { name } })))
    const seen: string[] = []
    while (seen.length < names.length) {
      const { value } = (await messages.next()) as { value: [Buffer, boolean] }
      const event = JSON.parse(value[0].toString()) as { object: { metadata: { name: string } } }
      seen.push(event.object.metadata.name)
    }
    expect(seen.sort()).to.deep.equal(names)
    socket.terminate()
  })

  it('one subprotocol is echoed (reference 5.4)', async () => {
    const { socket } = await open(`${users}?watch=1`, ['base64.binary.k8s.io'])
    expect(socket.protocol).to.equal('base64.binary.k8s.io')
    socket.terminate()
  })

  it('several subprotocols are 400 (reference 5.4)', async () => {
    const headers = { ...authorization(), 'sec-websocket-protocol': 'a, b' }
    const answer = await refused(`${users}?watch=1`, headers)
    expect([answer.status, answer.json]).to.deep.equal([
      400,
      badRequest('a websocket may offer one subprotocol'),
    ])
  })

  it('protobuf: sends one event per binary message, without the length (reference 5.3, 5.4)', async () => {
    const headers = {
      ...authorization(),
      accept: 'application/vnd.kubernetes.protobuf;stream=watch',
    }
    const { socket, messages } = await open('/api/v1/namespaces?watch=1', [], headers)
    const { value } = (await messages.next()) as { value: [Buffer, boolean] }
    const [data, isBinary] = value
    const event = protobuf.Root.fromJSON(watchEventProto).lookupType('WatchEvent').decode(data)
    const { type, object } = event.toJSON()
    expect([isBinary, type]).to.deep.equal([true, 'ADDED'])
    // The object is a complete body: magic, kind, message.
    const raw = Buffer.from((object as { raw: string }).raw, 'base64')
    const { kind, value: shown } = await new ProtobufCodec().decode(raw)
    expect([kind, (shown['metadata'] as { name: string }).name]).to.deep.equal([
      'Namespace',
      'default',
    ])
    socket.terminate()
  })

  it('accepts the token as a subprotocol, and never echoes it (reference 7.3)', async () => {
    const token = tokenProtocol(server().running.adminAccessKey)
    for (const headers of [{}, authorization()]) {
      for (const protocols of [
        [token, 'other'],
        ['other', token],
      ]) {
        const { socket } = await open(`${users}?watch=1`, protocols, headers)
        expect(socket.protocol).to.equal('other')
        socket.terminate()
      }
    }
  })

  const unauthorized = 'Unauthorized'
  const noSuchKey = 'platform access key not found. Please login again'
  const badTokens = [
    ['no token at all', [], unauthorized],
    ['a wrong token', [tokenProtocol('wrong'), 'other'], noSuchKey],
    ['a token alone', [tokenProtocol('TOKEN')], unauthorized],
    ['two tokens', [tokenProtocol('TOKEN'), tokenProtocol('TOKEN'), 'other'], unauthorized],
    ['no base64', ['base64url.bearer.authorization.k8s.io.a+b', 'other'], unauthorized],
    ['no UTF-8', ['base64url.bearer.authorization.k8s.io.__79_A', 'other'], noSuchKey],
    ['an empty token', ['base64url.bearer.authorization.k8s.io.', 'other'], noSuchKey],
  ] as const
  for (const [what, protocols, message] of badTokens) {
    it(`${what} is 401 in plain HTTP (reference 7.3)`, async () => {
      const real = tokenProtocol(server().running.adminAccessKey)
      const sent = protocols.map((name) => name.replace(tokenProtocol('TOKEN'), real)).join(', ')
      const answer = await refused(`${users}?watch=1`, {
        ...(sent === '' ? {} : { 'sec-websocket-protocol': sent }),
      })
      expect([answer.status, answer.json]).to.deep.equal([
        401,
        failure(401, 'Unauthorized', message),
      ])
    })
  }

  const errors = [
    ['/api/v1/widgets?watch=1', 404, routeNotFound],
    [`${users}?watch=1&labelSelector=a%20b`, 400, undefined],
    [
      `${users}?watch=1&fieldSelector=spec.email%3Dx`,
      400,
      badRequest(
        '"spec.email" is not a known field selector: only "metadata.name", "metadata.namespace", "spec.username", "spec.subject"',
      ),
    ],
    [
      `${users}?watch=1&limit=abc`,
      400,
      badRequest('strconv.ParseInt: parsing "abc": invalid syntax'),
    ],
    [`${users}?watch=1&resourceVersion=abc`, 500, undefined],
    [`${users}?watch=1&sendInitialEvents=true`, 422, undefined],
  ] as const
  for (const [path, code, want] of errors) {
    it(`${path} gets a plain HTTP response: ${code} (reference 5.4)`, async () => {
      const answer = await refused(path, authorization())
      expect([answer.status, answer.field('kind')]).to.deep.equal([code, 'Status'])
      expect([answer.headers['content-type'], answer.field('code')]).to.deep.equal([
        'application/json',
        code,
      ])
      if (want !== undefined) expect(answer.json).to.deep.equal(want)
    })
  }

  it('YAML is 406, a POST 405 (reference 5.4)', async () => {
    const yaml = await refused(`${users}?watch=1`, {
      ...authorization(),
      accept: 'application/yaml',
    })
    expect(yaml.status).to.equal(406)
    const post = await refused('/api/v1/watch/namespaces', authorization(), 'POST')
    expect([post.status, post.json]).to.deep.equal([405, methodNotAllowed])
  })

  it('an upgrade for a request other than a watch gets a plain HTTP response, and its connection is closed', async () => {
    const raw = await RawSocket.open(server().admin.port)
    raw.write(
      `GET ${users}/admin HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nAuthorization: Bearer ${server().running.adminAccessKey}\r\n\r\n`,
    )
    const text = await raw.untilClosed()
    expect(text).to.match(/^HTTP\/1\.1 200 OK\r\n/)
    expect(text).to.include('"kind":"User"')
  })

  const badHandshakes = [
    ['no key', { 'sec-websocket-key': '' }],
    ['a short key', { 'sec-websocket-key': 'abc' }],
    ['version 12', { 'sec-websocket-version': '12' }],
    ['a protocol that is none', { 'sec-websocket-protocol': 'a b,,c' }],
  ] as const
  for (const [what, headers] of badHandshakes) {
    it(`a handshake with ${what} is refused (reference 5.4)`, async () => {
      const answer = await refused(`${users}?watch=1`, { ...authorization(), ...headers })
      expect(answer.status).to.be.within(400, 426)
      const { text } = await server().admin.get('/metrics')
      const line = /^apiserver_longrunning_requests\{[^}]*resource="users"[^}]*\} (\d+)$/m.exec(
        text,
      )
      const open = /^apiserver_watch_cache_watchers\{[^}]*resource="users"[^}]*\} (\d+)$/m.exec(
        text,
      )
      expect(line?.[1]).to.equal(open?.[1])
    })
  }

  it('ignores messages of the client; a close ends the watch (reference 5.4)', async () => {
    const { socket } = await open(`${users}?watch=1`)
    socket.send('hello')
    socket.ping()
    await once(socket, 'pong')
    socket.close(1000)
    const [code] = (await once(socket, 'close')) as [number]
    expect(code).to.equal(1000)
    const watchers = async () => {
      const { text } = await server().admin.get('/metrics')
      return /^apiserver_watch_cache_watchers\{[^}]*resource="users"[^}]*\} (\d+)$/m.exec(text)?.[1]
    }
    while ((await watchers()) !== '0');
  })

  it('the end of the watch closes with 1000 (reference 5.4)', async () => {
    const { socket } = await open(`${users}?watch=1&timeoutSeconds=1`)
    const [code] = (await once(socket, 'close')) as [number]
    expect(code).to.equal(1000)
  })

  it('errors after the start come as a message, then the close (reference 5.6)', async () => {
    const { socket, messages } = await open(
      `${users}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=99999`,
    )
    const { value } = (await messages.next()) as { value: [Buffer, boolean] }
    const event = JSON.parse(value[0].toString()) as { type: string; object: { code: number } }
    expect([event.type, event.object.code]).to.deep.equal(['ERROR', 504])
    const [code] = (await once(socket, 'close')) as [number]
    expect(code).to.equal(1000)
  })

  it('a message that is too large ends only its connection', async () => {
    const { socket } = await open(`${users}?watch=1`)
    socket.on('error', () => undefined)
    socket.send(Buffer.alloc(1024 * 1024))
    await once(socket, 'close')
    expect((await server().admin.get(users)).status).to.equal(200)
  })

  for (const upgrade of ['h2c', 'TLS/1.0', 'nothing']) {
    it(`an upgrade to ${upgrade} is ignored, with and without a body`, async () => {
      const raw = await RawSocket.open(server().admin.port)
      const head = (method: string, path: string) =>
        `${method} ${path} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: ${upgrade}\r\nAuthorization: Bearer ${server().running.adminAccessKey}\r\n`
      raw.write(`${head('GET', `${users}/admin`)}\r\n`)
      await raw.until('"name":"admin"')
      const body = '{"metadata":{"name":"upgraded"}}'
      raw.write(
        `${head('POST', `${users}?dryRun=All`)}Content-Length: ${body.length}\r\n\r\n${body}`,
      )
      await raw.until('HTTP/1.1 201 Created')
      await raw.until('"name":"upgraded"')
      raw.close()
    })
  }
})

/**
 * Messages of a socket from the first on: it starts listening at once, whenever messages are
 * requested.
 */
function messagesOf(socket: WebSocket): AsyncIterator<[Buffer, boolean]> {
  const waiting: [Buffer, boolean][] = []
  let wake: () => void = () => undefined
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    waiting.push([data, isBinary])
    wake()
  })
  socket.on('close', () => wake())
  return (async function* () {
    for (;;) {
      const message = waiting.shift()
      if (message !== undefined) yield message
      else if (socket.readyState === WebSocket.CLOSED) return
      else await new Promise<void>((resolve) => (wake = resolve))
    }
  })()
}
