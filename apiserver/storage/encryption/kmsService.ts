import type * as grpc from '@grpc/grpc-js'
import type { Type } from 'protobufjs'
import type { Clock } from '../../meta/clock.ts'
import {
  kmsDescriptor,
  type EncryptedObject,
  type EncryptResponse,
  type StatusResponse,
} from './kmsMessages.ts'

export interface KmsServiceOptions {
  /** `unix:///path` or `unix:///@name`. */
  endpoint: string
  timeoutMs: number
  clock: Clock
}

type MethodName = 'Status' | 'Encrypt' | 'Decrypt'

/** A KMS v2 plugin behind a unix socket. */
export class KmsService {
  readonly #client: grpc.Client
  readonly #library: typeof grpc
  readonly #types: (name: string) => Type
  readonly #options: KmsServiceOptions

  /** Loads the library, without connecting. */
  static async load(options: KmsServiceOptions): Promise<KmsService> {
    const [library, { default: protobuf }] = await Promise.all([
      import('@grpc/grpc-js'),
      import('protobufjs/light.js'),
    ])
    const root = protobuf.Root.fromJSON(kmsDescriptor)
    return new KmsService(options, library, (name) => root.lookupType(name))
  }

  private constructor(
    options: KmsServiceOptions,
    library: typeof grpc,
    types: (name: string) => Type,
  ) {
    this.#options = options
    this.#library = library
    this.#types = types
    const target = options.endpoint.replace(/^unix:\/\/\/@/, 'unix-abstract:')
    // Some servers refuse the default authority of a socket, its path.
    const settings = { 'grpc.default_authority': 'localhost', 'grpc.enable_retries': 0 }
    this.#client = new library.Client(target, library.credentials.createInsecure(), settings)
  }

  async status(): Promise<StatusResponse> {
    return (await this.#call('Status', {})) as StatusResponse // as decoded by the descriptor
  }

  async encrypt(plaintext: Buffer, uid: string): Promise<EncryptResponse> {
    return (await this.#call('Encrypt', { plaintext, uid })) as EncryptResponse // as decoded by the descriptor
  }

  async decrypt(
    { encryptedDekSource, keyId, annotations }: EncryptedObject,
    uid: string,
  ): Promise<Buffer> {
    const request = { ciphertext: encryptedDekSource, uid, keyId, annotations }
    const { plaintext } = (await this.#call('Decrypt', request)) as { plaintext: Uint8Array } // as decoded
    return Buffer.from(plaintext)
  }

  encode(object: EncryptedObject): Buffer {
    return Buffer.from(this.#types('EncryptedObject').encode(object).finish())
  }

  /** Decodes a stored value. @throws Error if the bytes are damaged. */
  decode(bytes: Uint8Array): EncryptedObject {
    // Sound: decoded by the descriptor; the cipher validates the content.
    return this.#types('EncryptedObject').decode(bytes) as unknown as EncryptedObject
  }

  close(): void {
    this.#client.close()
  }

  #call(method: MethodName, request: object): Promise<unknown> {
    const input = this.#types(`${method}Request`)
    const output = this.#types(`${method}Response`)
    const { clock, timeoutMs } = this.#options
    return new Promise((resolve, reject) => {
      this.#client.makeUnaryRequest(
        `/v2.KeyManagementService/${method}`,
        (message: object) => Buffer.from(input.encode(message).finish()),
        (bytes: Buffer): unknown => output.decode(bytes),
        request,
        new this.#library.Metadata(),
        { deadline: clock.now() + timeoutMs },
        (error, response) => {
          if (error !== null) reject(new Error(error.details, { cause: error }))
          else resolve(response)
        },
      )
    })
  }
}
