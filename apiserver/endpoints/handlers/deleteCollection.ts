import { ignoreNotFound } from '../../registry/ignoring.ts'
import { checkCollectionOptions, warnOfDependents } from '../../registry/write/deleteOptions.ts'
import { listObjects } from '../../registry/read/listObjects.ts'
import { Pace } from '../../meta/waiting/pace.ts'
import type { Entry } from '../../watch/cacheEntry.ts'
import { selectorsFor, type ListOptions } from '../../registry/read/listOptions.ts'
import { readDeleteOptions } from '../body/deleteOptionsBody.ts'
import type { Exchange } from '../exchange.ts'
import { askedRevision, listQuery } from '../listQuery.ts'
import { longWorkTurn } from '../longWorkTurn.ts'
import { reviewedDeletion } from '../write/clientReview.ts'
import type { Target } from '../target.ts'
import { listFormat, writeList } from './list.ts'

/** Maximum number of concurrent deletions. */
const atOnce = 100

/**
 * Deletes the objects of a list, and responds with the list before the deletions. The first error
 * stops it; deletions are not undone. Source: reference 3.8.
 */
export async function handleDeleteCollection(
  exchange: Exchange,
  { resource, store }: Target,
): Promise<void> {
  const format = listFormat(exchange, resource)
  const query = listQuery(exchange)
  const options = await readDeleteOptions(exchange)
  checkCollectionOptions(options)
  const context = reviewedDeletion(exchange, options, true)
  warnOfDependents(options, resource.strategy, context)
  // Field selectors are checked before the revision, unlike in a list. Source: seen on kube-apiserver 1.37.2.
  selectorsFor(query, resource)
  const revision = askedRevision(query)
  const page = await listObjects(store, {
    namespace: exchange.info.namespace,
    options: atItsRevision(query),
    revision,
    nextTurn: () => longWorkTurn(exchange),
  })
  const entries = [...page.entries()]
  const remove = async (entry: Entry) => {
    const { name = '', namespace = '' } = entry.object().metadata
    await store.delete({ namespace, name }, structuredClone(options), context).catch(ignoreNotFound)
  }
  const pace = new Pace()
  for (let at = 0; at < entries.length; at += atOnce) {
    const deletions: Promise<void>[] = []
    for (const entry of entries.slice(at, at + atOnce)) {
      const deletion = remove(entry)
      // Its error is thrown below.
      deletion.catch(() => undefined)
      deletions.push(deletion)
      await pace.rest()
    }
    await Promise.all(deletions)
  }
  await writeList(exchange, resource, page, format)
}

/**
 * The options with an exact revision: the library reads the collection in pages, so a revision is exact even if a list
 * would accept a newer one.
 * Source: observed answers.
 */
function atItsRevision(query: ListOptions): ListOptions {
  const { resourceVersion, resourceVersionMatch } = query
  const isAny = resourceVersion === '' || resourceVersion === '0' || resourceVersionMatch !== ''
  return isAny ? query : { ...query, resourceVersionMatch: 'Exact' }
}
