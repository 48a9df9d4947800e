import { Objects } from '../objects/objects.ts'
import type { EtcdClient } from './etcdClient.ts'
import type { KeySpace } from './keySpace.ts'
import { toNumber, type RangeRequest } from './messages.ts'

const pageKeys = 500

export interface LoadedObjects {
  objects: Objects
  /** Revisions of guards by name. */
  guards: Map<string, number>
  /** Revision of etcd at which they were read. */
  revision: number
}

/** Every object, at the newest revision. @throws CallError, StorageError Sealed, Unavailable. */
export async function loadObjects(client: EtcdClient, space: KeySpace): Promise<LoadedObjects> {
  const objects = new Objects()
  const { key: first, rangeEnd } = space.range('')
  let key = first
  for (let revision = 0; ;) {
    const request: RangeRequest = { key, limit: pageKeys, revision }
    if (rangeEnd !== undefined) request.rangeEnd = rangeEnd
    const { header, kvs, more } = await client.range(request)
    if (revision === 0) revision = toNumber(header.revision)
    await space.prepare(kvs)
    for (const kv of kvs) {
      const name = space.objectKey(kv.key)
      if (name !== undefined) objects.set(space.stored(name, kv))
    }
    const last = kvs.at(-1)
    if (!more || last === undefined)
      return { objects, revision, guards: await loadGuards(client, space, revision) }
    key = Buffer.concat([last.key, Buffer.of(0)])
  }
}

async function loadGuards(
  client: EtcdClient,
  space: KeySpace,
  revision: number,
): Promise<Map<string, number>> {
  const { kvs } = await client.range({ ...space.guards, revision, keysOnly: true })
  return new Map(kvs.map((kv) => [space.guardName(kv.key) ?? '', toNumber(kv.modRevision)]))
}
