/**
 * Used messages and fields of etcd's API, in the form of protobufjs.
 * Source: etcd 3.4 to 3.6, `api/etcdserverpb/rpc.proto` and `api/mvccpb/kv.proto`.
 */
export const etcdDescriptor = {
  nested: {
    KeyValue: message({
      key: ['bytes', 1],
      modRevision: ['int64', 3],
      value: ['bytes', 5],
    }),
    Event: message({
      type: ['int32', 1],
      kv: ['KeyValue', 2],
      prevKv: ['KeyValue', 3],
    }),
    ResponseHeader: message({
      clusterId: ['uint64', 1],
      revision: ['int64', 3],
    }),
    RangeRequest: message({
      key: ['bytes', 1],
      rangeEnd: ['bytes', 2],
      limit: ['int64', 3],
      revision: ['int64', 4],
      keysOnly: ['bool', 8],
    }),
    RangeResponse: message({
      header: ['ResponseHeader', 1],
      kvs: ['KeyValue[]', 2],
      more: ['bool', 3],
    }),
    PutRequest: message({
      key: ['bytes', 1],
      value: ['bytes', 2],
    }),
    DeleteRangeRequest: message({
      key: ['bytes', 1],
      rangeEnd: ['bytes', 2],
    }),
    RequestOp: message({
      requestRange: ['RangeRequest', 1],
      requestPut: ['PutRequest', 2],
      requestDeleteRange: ['DeleteRangeRequest', 3],
    }),
    ResponseOp: message({
      responseRange: ['RangeResponse', 1],
    }),
    Compare: message({
      result: ['int32', 1],
      target: ['int32', 2],
      key: ['bytes', 3],
      modRevision: ['int64', 6],
    }),
    TxnRequest: message({
      compare: ['Compare[]', 1],
      success: ['RequestOp[]', 2],
      failure: ['RequestOp[]', 3],
    }),
    TxnResponse: message({
      header: ['ResponseHeader', 1],
      succeeded: ['bool', 2],
      responses: ['ResponseOp[]', 3],
    }),
    CompactionRequest: message({
      revision: ['int64', 1],
    }),
    CompactionResponse: message({
      header: ['ResponseHeader', 1],
    }),
    WatchCreateRequest: message({
      key: ['bytes', 1],
      rangeEnd: ['bytes', 2],
      startRevision: ['int64', 3],
      progressNotify: ['bool', 4],
      prevKv: ['bool', 6],
    }),
    WatchProgressRequest: message({}),
    WatchRequest: message({
      createRequest: ['WatchCreateRequest', 1],
      progressRequest: ['WatchProgressRequest', 3],
    }),
    WatchResponse: message({
      header: ['ResponseHeader', 1],
      created: ['bool', 3],
      canceled: ['bool', 4],
      compactRevision: ['int64', 5],
      cancelReason: ['string', 6],
      events: ['Event[]', 11],
    }),
    StatusRequest: message({}),
    StatusResponse: message({
      header: ['ResponseHeader', 1],
      version: ['string', 2],
      errors: ['string[]', 8],
    }),
    AuthenticateRequest: message({
      name: ['string', 1],
      password: ['string', 2],
    }),
    AuthenticateResponse: message({
      token: ['string', 2],
    }),
  },
}

/** Fields as `[type, number]`; `T[]` is repeated. */
function message(fields: Record<string, readonly [type: string, id: number]>) {
  const described = Object.entries(fields).map(([name, [type, id]]) => {
    const isRepeated = type.endsWith('[]')
    const field = { type: isRepeated ? type.slice(0, -2) : type, id }
    return [name, isRepeated ? { ...field, rule: 'repeated' } : field] as const
  })
  return { fields: Object.fromEntries(described) }
}
