import { createHash } from 'node:crypto'
import * as grpc from '@grpc/grpc-js'
import protobuf from 'protobufjs/light.js'
import { kmsDescriptor } from '../../../apiserver/storage/encryption/kmsMessages.ts'

type Fields = Record<string, unknown>

/** KMS v2 plugin that encrypts with a mask derived from its key ID. */
export class KmsPlugin {
  keyId = 'key-1'
  healthz = 'ok'
  /** Number of decryptions. */
  decrypted = 0
  readonly endpoint: string
  readonly #server = new grpc.Server()

  static async start(path: string): Promise<KmsPlugin> {
    const plugin = new KmsPlugin(`unix://${path}`)
    plugin.#serve()
    const { endpoint } = plugin
    const insecure = grpc.ServerCredentials.createInsecure()
    await new Promise<void>((done, failed) => {
      plugin.#server.bindAsync(endpoint, insecure, (error) => {
        if (error === null) done()
        else failed(error)
      })
    })
    return plugin
  }

  private constructor(endpoint: string) {
    this.endpoint = endpoint
  }

  stop(): void {
    this.#server.forceShutdown()
  }

  #serve(): void {
    const root = protobuf.Root.fromJSON(kmsDescriptor)
    const method = (name: string): grpc.MethodDefinition<Fields, Fields> => {
      const [input, output] = [
        root.lookupType(`${name}Request`),
        root.lookupType(`${name}Response`),
      ]
      return {
        path: `/v2.KeyManagementService/${name}`,
        requestStream: false,
        responseStream: false,
        requestSerialize: (value) => Buffer.from(input.encode(value).finish()),
        requestDeserialize: (bytes) => input.decode(bytes),
        responseSerialize: (value) => Buffer.from(output.encode(value).finish()),
        responseDeserialize: (bytes) => output.decode(bytes),
      }
    }
    const service = {
      Status: method('Status'),
      Encrypt: method('Encrypt'),
      Decrypt: method('Decrypt'),
    }
    this.#server.addService(service, {
      Status: answer(() => ({ version: 'v2', healthz: this.healthz, keyId: this.keyId })),
      Encrypt: answer(({ plaintext }) => ({
        ciphertext: masked(plaintext as Uint8Array, this.keyId),
        keyId: this.keyId,
        annotations: { 'version.example.com': Buffer.from('1') },
      })),
      Decrypt: answer(({ ciphertext, keyId, annotations }) => {
        this.decrypted++
        const { 'version.example.com': version } = annotations as Record<string, Uint8Array>
        if (Buffer.from(version ?? []).toString() !== '1') throw new Error('annotation is missing')
        return { plaintext: masked(ciphertext as Uint8Array, keyId as string) }
      }),
    })
  }
}

function masked(bytes: Uint8Array, keyId: string): Buffer {
  const mask = createHash('sha256').update(keyId).digest()
  return Buffer.from(bytes.map((byte, index) => byte ^ (mask[index % mask.length] ?? 0)))
}

function answer(make: (request: Fields) => Fields): grpc.handleUnaryCall<Fields, Fields> {
  return (call, callback) => {
    try {
      callback(null, make(call.request))
    } catch (error) {
      callback({ code: grpc.status.INTERNAL, details: String(error) })
    }
  }
}
