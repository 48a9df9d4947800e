import { expect } from 'chai'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { EventEmitter, once } from 'node:events'
import { Agent, createServer, request as httpRequest, type IncomingMessage } from 'node:http'
import { connect as connectHttp2, type ServerHttp2Session } from 'node:http2'
import { request as httpsRequest } from 'node:https'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { ConnectionPlaces } from '../apiserver/http/connectionPlaces.ts'
import { Connections } from '../apiserver/http/connections.ts'
import { listen } from '../apiserver/http/listeners.ts'
import { providerFetch } from '../apiserver/platform/logins/connectors/providerFetch.ts'
import { enteredCallbacks, type EnteredCallback } from '../apiserver/meta/waiting/guarded.ts'
import { writeSlices } from '../apiserver/meta/waiting/writeSlices.ts'
import { WriteTurns } from '../apiserver/meta/waiting/writeTurns.ts'
import { startServer } from '../apiserver/server.ts'
import type { RunningServer } from '../apiserver/runtime/options/serverOptions.ts'
import { realClock } from '../apiserver/runtime/realClock.ts'
import { superviseSession } from '../apiserver/http/superviseSession.ts'
import { sliceWrites } from '../apiserver/watch/sliceWrites.ts'
import { Session } from '../apiserver/storage/etcd/transport/session.ts'
import { sendRequest } from '../syncer/client/sendRequest.ts'
import { SandboxRuntime, sandboxDefaults } from '../syncer/expressions/sandboxRuntime.ts'
import type { HttpClient } from './endpoints/support/httpClient.ts'
import { clientOf } from './endpoints/support/testServer.ts'
import { GrpcServer, respond } from './storage/etcd/transport/grpcServer.ts'
import { callbackPlaces } from './support/tables/callbackPlaces.ts'
import { FakeClock } from './support/fakes/fakeClock.ts'
import { waitUntil } from './support/waitUntil.ts'

/** Callbacks that pass on guarded functions, or are the guard themselves. */
const handedOver: readonly [file: string, text: string, why: string][] = [
  ['apiserver/http/http2Watch.ts', 'ignored', 'does nothing'],
  [
    'apiserver/http/http2Watch.ts',
    'listener',
    'the listener of whoever asks, which is another place',
  ],
  ['apiserver/runtime/lastResort.ts', '', 'the last place there is'],
  [
    'apiserver/runtime/realClock.ts',
    '',
    'guarded by the clock of the server, or by who sets the timer',
  ],
  ['apiserver/http/upgrade.ts', "() => response.emit('close')", 'its listeners are other places'],
  ['apiserver/http/upgrade.ts', "() => response.emit('drain')", 'its listeners are other places'],
  ['apiserver/audit/eventTable.ts', 'this.#onError', 'only reports'],
  ['apiserver/audit/fileSink.ts', 'onRotated', 'begins an asynchronous prune that reports'],
  ['apiserver/watch/chunkedSink.ts', '() => writeTurns.run(', 'watcher.drain'],
  ['apiserver/watch/watcher.ts', '() => writeTurns.run(', 'watcher.pump'],
  ['apiserver/meta/waiting/writeSlices.ts', '() => writeTurns.run(', 'writeSlices.drained'],
  ['apiserver/watch/chunkedSink.ts', 'callback', 'watcher.close'],
  ['apiserver/watch/webSocketSink.ts', 'callback', 'watcher.close'],
  ['syncer/expressions/sandboxRuntime.ts', '() => void this.#send()', 'catches all itself'],
  ['syncer/expressions/sandboxRuntime.ts', '(error) => void this.#replace', 'asynchronous'],
  ['apiserver/meta/waiting/bounded.ts', '() => reject(reasonOf', 'only rejects'],
  ['syncer/client/httpPlaneClient.ts', 'stop', 'settles its promise, and aborts'],
  ['syncer/expressions/sandboxThread.ts', '', 'ends its thread, which is replaced'],
  ['apiserver/webhooks/webhookClient.ts', 'failed', 'settles its promise'],
  ['apiserver/webhooks/webhookClient.ts', '(response) => void readAnswer', 'asynchronous'],
  ['apiserver/aggregation/remoteConnections.ts', '(response) => void readAll', 'asynchronous'],
  ['apiserver/aggregation/streamBack.ts', 'done', 'settles its promise'],
  ['apiserver/aggregation/exchangeWith.ts', '(error: unknown) => tried(', 'catches all itself'],
  ['apiserver/aggregation/exchangeWith.ts', '(answer) => tried(', 'catches all itself'],
  ['apiserver/aggregation/exchangeWith.ts', '(answer, socket, head) =>', 'catches all itself'],
  ['apiserver/storage/etcd/follower.ts', 'lost', 'reports, and connects again later'],
  ['apiserver/storage/etcd/follower.ts', '() => lost(', 'reports, and connects again later'],
  ['apiserver/storage/etcd/follower.ts', '(response: WatchResponse)', 'catches all itself'],
  ['apiserver/audit/auditPool.ts', 'options.onError', 'logs the error'],
  ['apiserver/command/downloadBackup.ts', 'failed', 'settles a promise'],
  ['apiserver/command/serverRequest.ts', 'failed', 'settles a promise'],
  ['apiserver/doctor/portChecks.ts', 'patienceMs', 'the length of a wait, not a callback'],
  ['apiserver/storage/etcd/pastChanges.ts', '(response: WatchResponse)', 'catches all itself'],
  ['apiserver/command/launcherEnded.ts', '() => {', 'asks for a process, and catches all itself'],
  ['apiserver/kubeApiserver/envtest/etcd.ts', '() => {', 'ends a program without requests'],
  ['apiserver/kubeApiserver/envtest/etcd.ts', 'fail', 'ends a program that cannot listen'],
]

const grpcHeaders = { ':method': 'POST', ':path': '/test/Echo' }

const found = callbackPlaces(['apiserver', 'syncer'])

describe('callbacks that the runtime calls', function () {
  this.timeout(30_000)

  it('are guarded, or cannot throw, everywhere in the sources', () => {
    const isKnown = ({ file, text }: { file: string; text: string }) =>
      handedOver.some(([in_, begins]) => file === in_ && text.startsWith(begins))
    const unguarded = found.places.filter((place) => !place.isSafe && !isKnown(place))
    expect(unguarded.map(({ file, text }) => `${file}: ${text}`)).to.deep.equal([])
    expect(found.places.length).to.be.greaterThan(60)
  })

  it('have unique names', () => {
    expect(new Set(found.names).size).to.equal(found.names.length)
  })

  it('are all made to throw below', () => {
    const thrown = [...Object.keys(atServer), ...Object.keys(alone)]
    expect(thrown.sort()).to.deep.equal([...found.names].sort())
  })

  const clock = new FakeClock(Date.now())
  const lines: string[] = []
  let running: RunningServer
  let admin: HttpClient
  let count = 0

  before(async () => {
    const given = { securePort: 0, insecurePort: 0, storage: 'memory', logLevel: 'error' } as const
    const logTo = { write: (line: string) => void lines.push(line) }
    running = await startServer({ ...given, shutdownGraceSeconds: 1 }, { clock, logTo })
    admin = clientOf(running)
    for (let at = 0; at < 20; at++) await largeObject(at)
  })
  after(() => running.stop())

  async function largeObject(at: number): Promise<void> {
    const data = { a: 'x'.repeat(400_000) }
    const path = '/api/v1/namespaces/default/configmaps'
    const made = await admin.post(path, { metadata: { name: `large-${at}` }, data })
    expect(made.status).to.equal(201)
  }

  /** Body large enough to be processed in a separate turn. */
  async function write(): Promise<string> {
    const name = `n${++count}`
    const annotations = { a: 'x'.repeat(20_000) }
    await admin.post('/api/v1/namespaces', { metadata: { name, annotations } })
    return name
  }

  const headers = () => ({ authorization: `Bearer ${running.adminAccessKey}` })

  function secureGet(): Promise<void> {
    return new Promise((resolve, reject) => {
      const url = `${running.url}/api/v1/namespaces`
      const options = { headers: headers(), rejectUnauthorized: false, agent: false as const }
      httpsRequest(url, options, (response) => response.resume().on('end', resolve))
        .on('error', reject)
        .end()
    })
  }

  async function http2Get(): Promise<void> {
    const session = connectHttp2(running.url, { rejectUnauthorized: false })
    session.on('error', () => undefined)
    const stream = session.request({ ':path': '/api/v1/namespaces', ...headers() })
    stream.on('error', () => undefined).resume()
    await Promise.race([once(stream, 'close'), wait(1_000)])
    session.destroy()
  }

  async function upgrade(): Promise<void> {
    const path = '/api/v1/namespaces?watch=1&resourceVersion=0'
    const key = { 'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==', 'sec-websocket-version': '13' }
    const asked = { connection: 'Upgrade', upgrade: 'websocket', ...key, ...headers() }
    const request = httpRequest(`${running.insecureUrl ?? ''}${path}`, { headers: asked })
    request
      .on('upgrade', (_response, socket: Socket) => socket.destroy())
      .on('error', () => undefined)
    request.end()
    await Promise.race([once(request, 'close'), wait(1_000)])
  }

  async function rawRequest(head: string): Promise<Socket> {
    const socket = connect(Number(new URL(running.insecureUrl ?? '').port), '127.0.0.1')
    socket.on('error', () => undefined)
    const { authorization } = headers()
    socket.write(`${head} HTTP/1.1\r\nHost: a\r\nAuthorization: ${authorization}\r\n`)
    await wait(50)
    return socket
  }

  async function slowWatch(query: string): Promise<Socket> {
    const socket = await rawRequest(`GET /api/v1/configmaps?watch=1${query}`)
    socket.pause()
    socket.write('\r\n')
    await wait(300)
    return socket
  }

  async function drainSlowly(): Promise<void> {
    const socket = await slowWatch('')
    socket.resume()
    await wait(500)
    socket.destroy()
  }

  async function endWhileFull(): Promise<void> {
    const socket = await slowWatch('&timeoutSeconds=3')
    clock.advance(4_000)
    clock.advance(11_000)
    socket.destroy()
  }

  async function neverEndingBody(): Promise<void> {
    const socket = await rawRequest('POST /api/v1/namespaces')
    socket.write('Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{')
    await wait(100)
    clock.advance(61_000)
    await wait(50)
    socket.destroy()
  }

  async function connectMethod(): Promise<void> {
    const socket = await rawRequest('CONNECT a:1')
    socket.write('\r\n')
    await wait(100)
    socket.destroy()
  }

  async function endedWatch(): Promise<void> {
    const response = await admin.open('/api/v1/nodes?watch=1')
    response.destroy()
    await wait(100)
  }

  const login = () => admin.post('/auth/password/login', { username: 'a', password: 'b' }, json)
  const pass = async (ms: number) => clock.advance(ms)

  /** Requests that reach each callback while the server handles other requests and watches. */
  const atServer: Readonly<Record<string, () => Promise<unknown>>> = {
    'listeners.connection': write,
    'listeners.encrypted': secureGet,
    'listeners.session': http2Get,
    'listeners.upgrade': upgrade,
    'listeners.connect': connectMethod,
    'connections.closed': write,
    'connections.bareClosed': secureGet,
    'superviseSession.stream': http2Get,
    'superviseSession.streamClosed': http2Get,
    'entry.closed': write,
    'entry.finish': write,
    'requestBody.data': write,
    'requestBody.end': login,
    'userFairness.give': write,
    'deadline.giveUp': neverEndingBody,
    'guardedClock.timer': () => pass(600_000),
    'acceptWebSocket.opened': upgrade,
    'watchCache.onChange': write,
    'watchHub.begin': write,
    'watchHub.fanOut': write,
    'watchHub.tick': () => pass(2_000),
    'watcher.tick': () => pass(2_000),
    'watcher.pump': write,
    'watcher.drain': drainSlowly,
    'watcher.close': endedWatch,
    'watcher.cutOff': endWhileFull,
  }

  for (const [place, reach] of Object.entries(atServer)) {
    it(`${place}: an exception ends its owner, is logged, and affects nothing else`, async () => {
      const watches = await Promise.all([openWatch(), openWatch()])
      lines.length = 0
      const thrown = await throwingOnce(place, () => Promise.race([reach(), wait(3_000)]))
      expect(thrown).to.equal(1)
      await waitUntil(() =>
        lines.some((line) => line.includes(place) || line.includes('the watch of ')),
      )
      expect((await admin.get('/api/v1/namespaces')).status).to.equal(200)
      const name = await write()
      await waitUntil(() => watches.some(({ text }) => text().includes(`"${name}"`)))
      for (const { response } of watches) response.destroy()
    })
  }

  async function openWatch(): Promise<{ response: IncomingMessage; text: () => string }> {
    const list = await admin.get('/api/v1/namespaces?limit=1')
    const revision = String(list.field('metadata', 'resourceVersion'))
    const response = await admin.open(`/api/v1/namespaces?watch=1&resourceVersion=${revision}`)
    let text = ''
    response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    response.on('error', () => undefined)
    return { response, text: () => text }
  }

  /** Callbacks that no request to a server reaches in a short time, tested in the same way. */
  const alone: Readonly<Record<string, (place: string) => Promise<void>>> = {
    'superviseSession.ping': superviseAlone,
    'superviseSession.leave': superviseAlone,
    'superviseSession.end': superviseAlone,
    'connections.answered': answerWhileClosing,
    'listeners.grace': closeListener,
    'providerFetch.answer': fetchFails,
    'providerFetch.data': fetchFails,
    'providerFetch.end': fetchFails,
    'sendRequest.response': sendFails,
    'sendRequest.end': sendFails,
    'sandboxRuntime.answers': sandboxFails,
    'writeSlices.drained': drainFails,
    'writeTurns.begin': turnFails,
    'sliceWrites.goOn': sliceFails,
    'etcdCall.event': etcdFails,
    'etcdSession.event': etcdFails,
  }

  for (const [place, check] of Object.entries(alone)) {
    it(`${place}: an exception reaches its owner alone`, () => check(place))
  }

  async function superviseAlone(place: string): Promise<void> {
    const reported: unknown[] = []
    let isCut = false
    const report = (error: unknown) => reported.push(error)
    const members = {
      destroyed: false,
      destroy: () => undefined,
      close: () => undefined,
      ping: () => true,
    }
    const session = Object.assign(new EventEmitter(), members)
    const socket = { destroy: () => (isCut = true) }
    await throwingOnce(place, async () => {
      const limits = { idleMs: 5, pingMs: 10, report }
      // Both have the members that the callbacks use.
      superviseSession(
        session as unknown as ServerHttp2Session,
        socket as unknown as Socket,
        limits,
      )
      await wait(50)
      if (place.endsWith('.end')) session.emit('error')
      session.emit('close')
    })
    expect([reported.map(String)[0], isCut]).to.deep.equal([
      `CallbackError: ${place}: on purpose`,
      true,
    ])
  }

  async function answerWhileClosing(place: string): Promise<void> {
    const reported: unknown[] = []
    const connections = new Connections(new ConnectionPlaces(), (error) => reported.push(error))
    // The object has the members that are called at the end.
    const socket = Object.assign(new EventEmitter(), {
      destroySoon: () => undefined,
    }) as unknown as Socket
    const response = Object.assign(new EventEmitter(), { headersSent: true, closed: false })
    connections.add(socket)
    // Both have the members that the callbacks use.
    connections.began({ socket } as IncomingMessage, response as never)
    connections.close(() => false)
    await throwingOnce(place, async () => response.emit('close'))
    expect(reported.map(String)).to.deep.equal([`CallbackError: ${place}: on purpose`])
  }

  async function closeListener(place: string): Promise<void> {
    const reported: unknown[] = []
    const report = (error: unknown) => reported.push(error)
    const never = () => new Promise<void>(() => undefined)
    const listener = await listen({ serve: never, address: '127.0.0.1', port: 0, report })
    const socket = connect(listener.port, '127.0.0.1')
    socket.write('GET /api/v1 HTTP/1.1\r\nHost: a\r\n\r\n')
    await wait(50)
    await throwingOnce(place, async () => {
      const closed = listener.close(20)
      await wait(60)
      socket.destroy()
      await closed
    })
    expect(reported.map(String)).to.deep.equal([`CallbackError: ${place}: on purpose`])
  }

  async function withAnswer(check: (url: string) => Promise<void>): Promise<void> {
    const server = createServer((_request, response) => response.end('{}')).listen(0, '127.0.0.1')
    await once(server, 'listening')
    // A listening TCP server has an address object.
    const { port } = server.address() as AddressInfo
    await check(`http://127.0.0.1:${port}/`)
    server.closeAllConnections()
    server.close()
  }

  async function refusal(place: string, send: () => Promise<unknown>): Promise<void> {
    let refused: unknown
    await throwingOnce(place, () => send().catch((error: unknown) => (refused = error)))
    expect(String(refused)).to.equal(`CallbackError: ${place}: on purpose`)
  }

  function fetchFails(place: string): Promise<void> {
    return withAnswer((url) => refusal(place, () => providerFetch({})(url)))
  }

  function sendFails(place: string): Promise<void> {
    return withAnswer((url) => refusal(place, () => sendRequest({ url, ...plainGet }, undefined)))
  }

  async function drainFails(place: string): Promise<void> {
    let isCut = false
    const members = { write: () => false, destroy: () => (isCut = true) }
    const output = Object.assign(new EventEmitter(), members)
    writeSlices(output, [Buffer.from('a')], () => undefined)
    await throwingOnce(place, async () => output.emit('drain'))
    expect(isCut).to.equal(true)
  }

  async function turnFails(place: string): Promise<void> {
    const turns = new WriteTurns()
    const longWrite = () => {
      const began = performance.now()
      while (performance.now() - began < 20);
    }
    turns.run(longWrite)
    const second = new Promise<void>((resolve) => turns.run(resolve))
    await throwingOnce(place, () => second)
    await second
  }

  async function sliceFails(place: string): Promise<void> {
    const writev = (_chunks: unknown, done: () => void) => done()
    const socket = new Duplex({ write: (_chunk, _encoding, done) => done(), writev })
    sliceWrites(socket)
    let failure: unknown
    socket.on('error', (error) => (failure = error))
    await throwingOnce(place, async () => socket.write(Buffer.alloc(1_000_000)))
    expect(String(failure)).to.equal(`CallbackError: ${place}: on purpose`)
  }

  /** A call ends with the error, whether its own callback or that of its connection fails. */
  async function etcdFails(place: string): Promise<void> {
    const server = await GrpcServer.start(({ stream }) => respond(stream, 'done'))
    const ends: (Error | undefined)[] = []
    const thrown = await throwingOnce(place, async () => {
      const session = new Session({
        socket: connect(server.port, '127.0.0.1'),
        clock: realClock,
        onReady: () => {
          const onEnd = (error: Error | undefined) => ends.push(error)
          const call = session.open(grpcHeaders, { onMessage: () => undefined, onEnd })
          call.send(Buffer.from('a'), { isLast: true })
        },
        onClosed: (error) => ends.push(error),
      })
      await waitUntil(() => ends.length > 0)
      session.close(new Error('the test is over'))
    })
    expect([thrown, ends[0]?.message]).to.deep.equal([1, `${place}: on purpose`])
    await server.stop()
  }

  async function sandboxFails(place: string): Promise<void> {
    const runtime = new SandboxRuntime({ ...sandboxDefaults, clock: realClock })
    let refused: unknown
    await throwingOnce(place, () => runtime.check('1').catch((error: unknown) => (refused = error)))
    expect(String(refused)).to.include('on purpose')
    await runtime.close()
  }
})

const json = { 'content-type': 'application/json' }
const plainGet = {
  method: 'GET',
  agent: new Agent(),
  headers: {},
  signal: new AbortController().signal,
}

/** Makes the callback at a place throw at its first call. @returns the number of throws. */
async function throwingOnce(place: string, run: () => Promise<unknown>): Promise<number> {
  let thrown = 0
  const onEntered = (message: unknown) => {
    // Only these publish to the channel.
    const entered = message as EnteredCallback
    if (entered.place !== place || thrown > 0) return
    thrown++
    entered.fault = new Error('on purpose')
  }
  subscribe(enteredCallbacks, onEntered)
  try {
    await run().catch(() => undefined)
    // Some callbacks run a while after the response.
    for (let turn = 0; turn < 200 && thrown === 0; turn++) await wait(10)
  } finally {
    unsubscribe(enteredCallbacks, onEntered)
  }
  return thrown
}
