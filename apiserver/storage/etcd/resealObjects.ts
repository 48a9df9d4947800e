import type { Clock } from '../../meta/clock.ts'
import type { Sealing } from '../encryption/sealing.ts'
import { toStorageError } from './callErrors.ts'
import { EtcdClient, type EtcdAccess } from './etcdClient.ts'
import { checkFormat, type Identity } from './etcdFormat.ts'
import { KeySpace } from './keySpace.ts'
import { toNumber, type KeyValue, type RangeRequest } from './messages.ts'

export interface ObjectsToReseal {
  access: EtcdAccess
  prefix: string
  identity: Identity
  sealing: Sealing
  clock: Clock
}

const pageKeys = 200
const atOnce = 16

/**
 * Rewrites every object in etcd with the current encryption. Servers may run: an object that one of
 * them writes meanwhile is up to date. History is kept until etcd is compacted and defragmented.
 * @throws StorageError NewerFormat, OtherIdentity, Sealed, Unavailable.
 */
export async function resealObjects(
  given: ObjectsToReseal,
): Promise<{ rewritten: number; objects: number }> {
  const { access, clock, prefix, sealing, identity } = given
  const client = await EtcdClient.load(access, clock)
  const space = new KeySpace(prefix, sealing)
  try {
    await checkFormat(client, space, identity)
    return await resealAll(client, space)
  } catch (error) {
    throw toStorageError(error, `etcd at ${access.endpoints.join(', ')} cannot be used`)
  } finally {
    client.close()
  }
}

async function resealAll(client: EtcdClient, space: KeySpace) {
  const counts = { rewritten: 0, objects: 0 }
  const { key: first, rangeEnd } = space.range('')
  for (let key = first; ;) {
    const request: RangeRequest = { key, limit: pageKeys }
    if (rangeEnd !== undefined) request.rangeEnd = rangeEnd
    const { kvs, more } = await client.range(request)
    await space.prepare(kvs)
    for (let at = 0; at < kvs.length; at += atOnce) {
      const some = kvs.slice(at, at + atOnce).map((kv) => reseal(client, space, kv))
      for (const isRewritten of await Promise.all(some)) counts.rewritten += isRewritten ? 1 : 0
    }
    counts.objects += kvs.length
    const last = kvs.at(-1)
    if (!more || last === undefined) return counts
    key = Buffer.concat([last.key, Buffer.of(0)])
  }
}

/** Reports whether this server wrote the change. */
async function reseal(client: EtcdClient, space: KeySpace, kv: KeyValue): Promise<boolean> {
  const key = space.objectKey(kv.key)
  const stored = Buffer.from(kv.value)
  if (key === undefined || !space.sealing.isStale(key, stored)) return false
  const value = space.sealing.seal(key, space.sealing.open(key, stored))
  const modRevision = toNumber(kv.modRevision)
  const { succeeded } = await client.txn({
    compare: [{ result: 0, target: 2, key: Buffer.from(kv.key), modRevision }],
    success: [{ requestPut: { key: kv.key, value } }],
    failure: [],
  })
  return succeeded
}
