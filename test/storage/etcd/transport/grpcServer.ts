import {
  createServer,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
  type Settings,
} from 'node:http2'
import {
  MessageReader,
  withLength,
} from '../../../../apiserver/storage/etcd/transport/messageReader.ts'

/** Call received by the server. */
export interface Received {
  stream: ServerHttp2Stream
  headers: IncomingHttpHeaders
  /** Messages of the whole request. */
  request: Promise<string[]>
}

/** HTTP/2 server of Node that gRPC calls can be made to. */
export class GrpcServer {
  readonly sessions: ServerHttp2Session[] = []
  readonly #server: Http2Server
  port = 0

  static async start(
    onCall: (received: Received) => void,
    { settings = {}, port = 0 }: { settings?: Settings; port?: number } = {},
  ): Promise<GrpcServer> {
    const server = new GrpcServer(createServer({ settings }), onCall)
    await server.#listen(port)
    return server
  }

  private constructor(server: Http2Server, onCall: (received: Received) => void) {
    this.#server = server
    server.on('session', (session) => {
      session.on('error', () => undefined) // a client that ends
      this.sessions.push(session)
    })
    server.on('stream', (stream, headers) => {
      stream.on('error', () => undefined) // a client that cancels
      onCall({ stream, headers, request: messagesOf(stream) })
    })
  }

  get endpoint(): string {
    return `http://127.0.0.1:${this.port}`
  }

  async stop(): Promise<void> {
    for (const session of this.sessions) session.destroy()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #listen(port: number): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(port, '127.0.0.1', resolve))
    const address = this.#server.address()
    this.port = typeof address === 'object' && address !== null ? address.port : 0
  }
}

/** Sends a response with messages, and with the status OK at its end. */
export function respond(stream: ServerHttp2Stream, ...messages: readonly string[]): void {
  stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true })
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0', 'grpc-message': '' }))
  stream.end(joined(...messages))
}

/** Messages as sent. */
export function joined(...messages: readonly string[]): Buffer {
  return Buffer.concat(messages.map((message) => withLength(Buffer.from(message))))
}

async function messagesOf(stream: ServerHttp2Stream): Promise<string[]> {
  const reader = new MessageReader()
  const messages: string[] = []
  try {
    for await (const chunk of stream) {
      messages.push(...reader.read(chunk as Buffer).map(String)) // Sound: no encoding is set.
    }
  } catch {
    // The client has cancelled.
  }
  return messages
}
