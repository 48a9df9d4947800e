import type { Clock } from '../../meta/clock.ts'
import { StartError } from '../../runtime/startError.ts'
import type { Sealing } from '../encryption/sealing.ts'
import { isSameContent, templateOf } from '../objects/templateOf.ts'
import type { StoredValue } from '../storage.ts'
import { toStorageError } from './callErrors.ts'
import { EtcdClient, type EtcdAccess } from './etcdClient.ts'
import { formatValue, revisionOf, type Identity } from './etcdFormat.ts'
import { KeySpace } from './keySpace.ts'
import { loadObjects } from './loadObjects.ts'
import type { RequestOp } from './messages.ts'
import { encodeTemplate } from './valueBytes.ts'

export interface ObjectsToImport {
  access: EtcdAccess
  prefix: string
  identity: Identity
  sealing: Sealing
  clock: Clock
  /** Values in clear, in key order. */
  objects: readonly StoredValue[]
  /** Newest revision of the source: etcd has to be beyond it, so that no revision is served with two contents. */
  revision: number
}

/** Limits of a transaction: the defaults of etcd are 128 operations and 1.5 MiB. */
const maxOperations = 100
const maxBytes = 512 * 1024
/** Maximum number of revisions to skip by writing an empty key, about 10,000 per second. */
const maxSkipped = 500_000
const skippedAtOnce = 64

/**
 * Writes objects under an empty prefix, and compares the result. Servers refuse the prefix until it is complete.
 * Objects get new revisions, beyond those of their source. Returns the newest.
 * @throws StartError, StorageError.
 */
export async function importObjects(given: ObjectsToImport): Promise<number> {
  const { access, prefix, clock, sealing } = given
  const client = await EtcdClient.load(access, clock)
  const space = new KeySpace(prefix, sealing)
  try {
    await begin(client, space, given)
    await skipTo(client, space, given.revision)
    for (const operations of batches(given.objects, space)) await put(client, operations)
    const { objects, revision } = await loadObjects(client, space)
    compare(given.objects, objects.collect({ prefix: '' }, 0))
    await put(client, [formatPut(space, given.identity, true)])
    return revision
  } catch (error) {
    if (error instanceof StartError) throw error
    throw toStorageError(error, `etcd at ${access.endpoints.join(', ')} cannot be used`)
  } finally {
    client.close()
  }
}

/** Claims the empty prefix. @throws StartError. */
async function begin(
  client: EtcdClient,
  space: KeySpace,
  { prefix, revision, identity }: ObjectsToImport,
): Promise<void> {
  const { header, kvs } = await client.range({ ...space.all, limit: 1, keysOnly: true })
  if (kvs.length > 0)
    throw new StartError(
      `etcd holds keys below ${prefix}: name an empty --etcd-prefix, or delete them with etcdctl del --prefix ${prefix}/`,
    )
  const missing = revision - revisionOf(header)
  if (missing > maxSkipped)
    throw new StartError(
      `etcd is at revision ${revisionOf(header)}, and the objects are at ${revision}: clients would see revisions go back. ` +
        `Take a snapshot of the empty etcd and restore it with etcdutl snapshot restore --mark-compacted --bump-revision ${missing}`,
    )
  const { succeeded } = await client.txn({
    compare: [{ result: 0, target: 2, key: space.format, modRevision: 0 }],
    success: [formatPut(space, identity, false)],
    failure: [],
  })
  if (!succeeded) throw new StartError(`another program writes below ${prefix} in etcd`)
}

function formatPut(space: KeySpace, identity: Identity, isComplete: boolean): RequestOp {
  return { requestPut: { key: space.format, value: formatValue(identity, isComplete) } }
}

/** Writes an empty key until etcd has passed a revision. */
async function skipTo(client: EtcdClient, space: KeySpace, revision: number): Promise<void> {
  const skip = () => put(client, [{ requestPut: { key: space.mark, value: Buffer.of() } }])
  for (let left = revision - (await skip()); left > 0;) {
    const reached = await Promise.all(Array.from({ length: Math.min(left, skippedAtOnce) }, skip))
    left = revision - Math.max(...reached)
  }
}

function* batches(objects: readonly StoredValue[], space: KeySpace): Generator<RequestOp[]> {
  let operations: RequestOp[] = []
  let bytes = 0
  for (const stored of objects) {
    const { key } = stored
    const value = space.sealing.seal(key, encodeTemplate(templateOf(stored)))
    const isFull = operations.length === maxOperations || bytes + value.length > maxBytes
    if (isFull && operations.length > 0) {
      yield operations
      operations = []
      bytes = 0
    }
    operations.push({ requestPut: { key: space.key(key), value } })
    bytes += value.length
  }
  if (operations.length > 0) yield operations
}

/** Writes objects and returns the revision. */
async function put(client: EtcdClient, success: RequestOp[]): Promise<number> {
  const { header } = await client.txn({ compare: [], success, failure: [] })
  return revisionOf(header)
}

/** Compares objects. @throws StartError with the first difference. */
function compare(wanted: readonly StoredValue[], found: readonly StoredValue[]): void {
  for (const [at, one] of wanted.entries()) {
    const other = found[at]
    if (other === undefined || !isSameContent(one, other))
      throw new StartError(`what was written differs from its source at ${one.key}`)
  }
  const more = found[wanted.length]
  if (more !== undefined) throw new StartError(`${more.key} was written by another program`)
}
