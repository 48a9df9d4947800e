import { etcdDescriptor } from './descriptor.ts'

/** Decoded 64-bit number. Revisions stay far below 2^53. */
export type Wide = number | { toNumber(): number; toString(): string }

export interface KeyValue {
  key: Uint8Array
  modRevision: Wide
  value: Uint8Array
}

export interface ResponseHeader {
  clusterId: Wide
  revision: Wide
}

export interface Range {
  key: Uint8Array
  /** End of the range, exclusive; absent: only the key. */
  rangeEnd?: Uint8Array
}

export interface RangeRequest extends Range {
  /** Maximum number; 0 or absent: all. */
  limit?: number
  /** Revision; 0 or absent: the newest. */
  revision?: number
  keysOnly?: boolean
}

export interface RangeResponse {
  header: ResponseHeader
  kvs: KeyValue[]
  more: boolean
}

export interface RequestOp {
  requestRange?: RangeRequest
  requestPut?: { key: Uint8Array; value: Uint8Array }
  requestDeleteRange?: Range
}

export interface TxnRequest {
  compare: { result: number; target: number; key: Uint8Array; modRevision: number }[]
  success: RequestOp[]
  failure: RequestOp[]
}

export interface TxnResponse {
  header: ResponseHeader
  succeeded: boolean
  responses: { responseRange?: RangeResponse }[]
}

export interface Event {
  /** Type; 0: a put, 1: a deletion. */
  type: number
  kv: KeyValue
  prevKv?: KeyValue | null
}

export interface WatchRequest {
  createRequest?: Range & { startRevision: number; progressNotify?: boolean; prevKv?: boolean }
  progressRequest?: object
}

export interface WatchResponse {
  header: ResponseHeader
  created: boolean
  canceled: boolean
  /** Set if the requested revision is compacted up to here; otherwise 0. */
  compactRevision: Wide
  cancelReason: string
  events: Event[]
}

export interface StatusResponse {
  header: ResponseHeader
  version: string
  errors: string[]
}

/** Call of etcd's API. */
export interface Method {
  path: string
  encode: (message: object) => Uint8Array
  decode: (bytes: Buffer) => unknown
}

const methods = {
  range: ['KV/Range', 'RangeRequest', 'RangeResponse'],
  txn: ['KV/Txn', 'TxnRequest', 'TxnResponse'],
  compact: ['KV/Compact', 'CompactionRequest', 'CompactionResponse'],
  watch: ['Watch/Watch', 'WatchRequest', 'WatchResponse'],
  status: ['Maintenance/Status', 'StatusRequest', 'StatusResponse'],
  authenticate: ['Auth/Authenticate', 'AuthenticateRequest', 'AuthenticateResponse'],
} as const

export type Methods = Readonly<Record<keyof typeof methods, Method>>

/** Loads the library and creates the encoders. */
export async function loadMethods(): Promise<Methods> {
  const { default: protobuf } = await import('protobufjs/light.js')
  const root = protobuf.Root.fromJSON(etcdDescriptor)
  const made = Object.entries(methods).map(([name, [path, request, response]]) => {
    const [input, output] = [root.lookupType(request), root.lookupType(response)]
    const method: Method = {
      path: `/etcdserverpb.${path}`,
      encode: (message) => input.encode(message).finish(),
      decode: (bytes) => output.decode(bytes),
    }
    return [name, method] as const
  })
  // Sound: it has every name of `methods`.
  return Object.fromEntries(made) as Methods
}

export function toNumber(wide: Wide): number {
  return typeof wide === 'number' ? wide : wide.toNumber()
}
