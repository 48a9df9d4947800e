import { parseBool } from '../../encoding/queryValues.ts'
import { badRequest, notFound, resourceVersionTooLarge } from '../../meta/statusErrors.ts'
import { groupResource, type ResourceDefinition } from '../../registry/resource.ts'
import { computedBytes } from '../../registry/objectBytes.ts'
import { reachesRevision } from '../../registry/read/waitForRevision.ts'
import { readResourceVersion } from '../../meta/resourceVersion.ts'
import { newestState } from '../../registry/read/newestState.ts'
import { writeEnded } from '../../registry/settledRefusal.ts'
import { Entry } from '../../watch/cacheEntry.ts'
import { registryContext, type Exchange } from '../exchange.ts'
import { asksExtended } from '../extended.ts'
import { outputOf, writeObject } from '../response/objectResponse.ts'
import type { Target } from '../target.ts'

/** Handles GET of an object. Source: reference 4.2. */
export async function handleGet(exchange: Exchange, { resource, store }: Target): Promise<void> {
  const { info, query } = exchange
  if (query.size > 0) await checkQuery(exchange, store)
  const { remote } = store
  if (remote !== undefined) {
    // Other objects need not be converted to read one.
    const stored = await remote.read(store.keyOf(info))
    return answer(exchange, resource, stored && new Entry(stored))
  }
  if (!store.cache.isWarm) await store.cache.warm()
  const key = store.keyOf(info)
  const reaching =
    (query.get('resourceVersion') ?? '') === '' ? newestState(store.options.storage) : undefined
  if (reaching !== undefined) await reaching
  // Waits for a pending write, with which a client that changes the object would conflict. At
  // revision 0, any state is acceptable.
  const ended = writeEnded(store.options.storage, key)
  if (ended !== undefined && query.get('resourceVersion') !== '0') await ended
  await answer(exchange, resource, store.cache.get(key))
}

async function answer(
  exchange: Exchange,
  resource: ResourceDefinition,
  entry: Entry | undefined,
): Promise<void> {
  if (entry === undefined) {
    outputOf(exchange)
    throw notFound(groupResource(resource), exchange.info.name)
  }
  const { extend } = resource
  const bytes =
    extend !== undefined && asksExtended(exchange)
      ? computedBytes(await extend(entry.object(), registryContext(exchange)))
      : entry.bytes
  await writeObject(exchange, resource, { bytes, code: 200 })
}

async function checkQuery({ query }: Exchange, store: Target['store']): Promise<void> {
  if (query.has('export') && parseBool(query.get('export') ?? '')) {
    throw badRequest('the export parameter, deprecated since v1.14, is no longer supported')
  }
  const revision = readResourceVersion(query.get('resourceVersion') ?? '')
  if (!(await reachesRevision(store, revision))) {
    throw resourceVersionTooLarge(revision, store.cache.revision, 1)
  }
}
