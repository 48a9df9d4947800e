/**
 * Raw limits over HTTP: bare node:http servers with the minimum work of each row. Runs as a
 * separate process: `rawServer.ts MODE FOLDER`, with the bytes of an object and of a list in
 * FOLDER. Prints its port.
 */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createSecureServer, type Http2SecureServer } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

const segmentSize = 128
const flushMs = 5
const [mode = '', folder = ''] = process.argv.slice(2)

const handlers: Readonly<Record<string, () => Handler>> = {
  get: () => {
    const object = readFileSync(join(folder, 'object'))
    return (_request, response) => answer(response, object)
  },
  create: () => (request, response) =>
    readAll(request, (body) => answer(response, created(body), 201)),
  list: listSegments,
  copy: () => copyEach('app', 'bench'),
  'copy-1-percent': () => copyEach('shard', 's07'),
  gzip: () => {
    const body = gzipSync(readFileSync(join(folder, 'list')), { level: 1 })
    return (_request, response) => answer(response, body)
  },
  fanout,
  'fanout-tls': fanout,
}

interface Item {
  labels: Record<string, string>
  bytes: Buffer
}

/** Items of a list of the API server, each with separate bytes. */
function items(): Item[] {
  const text = readFileSync(join(folder, 'list'), 'utf8')
  const list = JSON.parse(text) as { items: { metadata: { labels: Record<string, string> } }[] }
  return list.items.map((item) => {
    const encoded = `${JSON.stringify(item)},`
    const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(encoded))
    bytes.write(encoded)
    return { labels: item.metadata.labels, bytes }
  })
}

/** Serves cached segments of 128 items, written one by one; waits for slow clients. */
function listSegments(): Handler {
  const all = items()
  const segments: Buffer[] = []
  for (let at = 0; at < all.length; at += segmentSize) {
    segments.push(Buffer.concat(all.slice(at, at + segmentSize).map(({ bytes }) => bytes)))
  }
  const length = segments.reduce((sum, segment) => sum + segment.length, 0)
  return (_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': length })
    void writeAll(response, segments)
  }
}

async function writeAll(response: ServerResponse, segments: readonly Buffer[]): Promise<void> {
  for (const segment of segments) if (!response.write(segment)) await once(response, 'drain')
  response.end()
}

/** Checks a label of every item, and copies the matching items into one buffer. */
function copyEach(label: string, value: string): Handler {
  const all = items()
  return (_request, response) => {
    const wanted = all.filter(({ labels }) => labels[label] === value)
    const body = Buffer.allocUnsafe(wanted.reduce((sum, { bytes }) => sum + bytes.length, 0))
    let at = 0
    for (const { bytes } of wanted) at += bytes.copy(body, at)
    answer(response, body)
  }
}

/**
 * Creates an event by POST, and serves a watch by GET. Events of 5 ms are sent to every watcher as
 * one shared buffer.
 */
function fanout(): Handler {
  const watchers = new Set<ServerResponse>()
  let pending: Buffer[] = []
  const flush = () => {
    const frames = Buffer.concat(pending)
    pending = []
    for (const watcher of watchers) watcher.write(frames)
  }
  const take = (response: ServerResponse, body: Buffer) => {
    const object = created(body)
    answer(response, object, 201)
    if (pending.length === 0) setTimeout(flush, flushMs)
    pending.push(Buffer.from('{"type":"ADDED","object":'), object, Buffer.from('}\n'))
  }
  return (request, response) => {
    if (request.method === 'POST') {
      readAll(request, (body) => take(response, body))
      return
    }
    response.writeHead(200, { 'Content-Type': 'application/json' })
    response.flushHeaders()
    watchers.add(response)
    response.on('close', () => watchers.delete(response))
  }
}

/** Minimum work of a create: parses the body, inspects it, assigns an identity and encodes it. */
function created(body: Buffer): Buffer {
  // The load generator only sends objects.
  const object = JSON.parse(body.toString()) as { kind: string; metadata: Record<string, unknown> }
  if (object.kind !== 'SharedSecret' || typeof object.metadata['name'] !== 'string') {
    throw new Error('not a shared secret')
  }
  object.metadata['uid'] = crypto.randomUUID()
  object.metadata['creationTimestamp'] = new Date().toISOString()
  object.metadata['resourceVersion'] = '1234567'
  object.metadata['generation'] = 1
  return Buffer.from(JSON.stringify(object))
}

function readAll(request: IncomingMessage, done: (body: Buffer) => void): void {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => done(Buffer.concat(chunks)))
}

function answer(response: ServerResponse, body: Buffer, code = 200): void {
  response.writeHead(code, { 'Content-Type': 'application/json', 'Content-Length': body.length })
  response.end(body)
}

/** Serves HTTP/2 and HTTP/1.1 over TLS, with the certificate in FOLDER. */
function secureServer(handler: Handler): Http2SecureServer {
  const [cert, key] = [readFileSync(join(folder, 'cert')), readFileSync(join(folder, 'key'))]
  const settings = { maxConcurrentStreams: 2_000 }
  const options = { cert, key, allowHTTP1: true, noDelay: true, settings }
  return createSecureServer(options, (request, response) => {
    // The compatibility API has the members that the handlers use, with the same meaning.
    handler(request as unknown as IncomingMessage, response as unknown as ServerResponse)
  })
}

const make = handlers[mode]
if (make === undefined) throw new Error(`no raw server ${mode}`)
const handler = make()
const server = mode === 'fanout-tls' ? secureServer(handler) : createServer(handler)
await once(server.listen(0, '127.0.0.1'), 'listening')
// A listening TCP server has an address object.
process.stdout.write(`${(server.address() as AddressInfo).port}\n`)
