import type * as grpc from '@grpc/grpc-js'
import { CallError } from './callErrors.ts'
import type { Method, WatchRequest, WatchResponse } from './messages.ts'

export interface Credentials {
  /** PEM of the CAs. Absent: the system's CAs. */
  ca?: Buffer
  /** PEM of a client certificate and its key. */
  cert?: Buffer
  key?: Buffer
}

export interface CallSettings {
  /** Milliseconds since the epoch; absent: none. */
  deadline?: number
  token?: string | undefined
  /** True to end the call when the member has lost its leader. Default false. */
  needsLeader?: boolean
}

export type WatchCall = grpc.ClientDuplexStream<WatchRequest, WatchResponse>

export type Library = typeof grpc

const options = {
  'grpc.max_receive_message_length': -1,
  'grpc.max_send_message_length': -1,
  'grpc.keepalive_time_ms': 10_000,
  'grpc.keepalive_timeout_ms': 5_000,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 5_000,
  'grpc.enable_retries': 0,
}

/** Connection to one etcd member, shared by calls and streams. It reconnects automatically. */
export class Connection {
  readonly #library: Library
  readonly #client: grpc.Client

  /** @param endpoint `http://host:port`, `https://host:port` or `host:port`. */
  constructor(library: Library, endpoint: string, { ca, cert, key }: Credentials) {
    const { credentials, Client } = library
    const isSecure = endpoint.startsWith('https://')
    const made = isSecure
      ? credentials.createSsl(ca ?? null, key ?? null, cert ?? null)
      : credentials.createInsecure()
    this.#library = library
    this.#client = new Client(endpoint.replace(/^https?:\/\//, ''), made, options)
  }

  /** Makes a call. @throws CallError. */
  call(method: Method, request: object, settings: CallSettings): Promise<unknown> {
    const { path, encode, decode } = method
    const { deadline } = settings
    const callOptions = deadline === undefined ? {} : { deadline }
    return new Promise((resolve, reject) => {
      const metadata = this.#metadata(settings)
      this.#client.makeUnaryRequest(
        path,
        encode,
        decode,
        request,
        metadata,
        callOptions,
        (error, response) => {
          if (error !== null) reject(new CallError(error.code, error.details, error))
          else resolve(response)
        },
      )
    })
  }

  openWatch({ path, encode, decode }: Method, settings: CallSettings): WatchCall {
    const metadata = this.#metadata(settings)
    // Sound: the method decodes watch responses.
    const decodeWatch = (bytes: Buffer) => decode(bytes) as WatchResponse
    return this.#client.makeBidiStreamRequest<WatchRequest, WatchResponse>(
      path,
      encode,
      decodeWatch,
      metadata,
      {},
    )
  }

  close(): void {
    this.#client.close()
  }

  #metadata({ token, needsLeader }: CallSettings): grpc.Metadata {
    const metadata = new this.#library.Metadata()
    if (token !== undefined) metadata.set('token', token)
    if (needsLeader === true) metadata.set('hasleader', 'true')
    return metadata
  }
}
