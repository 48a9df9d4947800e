import { ignoreNotFound } from '../../registry/ignoreNotFound.ts'
import { checkDeleteOptions } from '../../registry/deleteOptions.ts'
import { selectorsFor } from '../../registry/read/listOptions.ts'
import { listObjects } from '../../registry/read/listObjects.ts'
import type { ListOptions } from '../../registry/read/listOptions.ts'
import { readDeleteOptions } from '../body/deleteOptionsBody.ts'
import { registryContext, type Exchange } from '../exchange.ts'
import { askedRevision, listQuery } from '../listQuery.ts'
import type { Target } from '../target.ts'
import { listFormat, writeList } from './list.ts'

/** How many deletions are on their way at once. */
const atOnce = 100

/** Deletes what a list selects, and answers the list as it was. The first error ends it; what was deleted stays
 *  deleted. Source: reference 3.8. */
export async function handleDeleteCollection(
  exchange: Exchange,
  { resource, store }: Target,
): Promise<void> {
  const format = listFormat(exchange)
  const query = listQuery(exchange)
  const options = await readDeleteOptions(exchange)
  checkDeleteOptions(options)
  const context = registryContext(exchange, (options.dryRun ?? []).length > 0)
  // Fields are judged before the revision here, unlike in a list. Source: seen on kube-apiserver 1.37.2.
  selectorsFor(query, resource)
  const revision = askedRevision(query)
  const page = await listObjects(store, {
    namespace: exchange.info.namespace,
    options: atItsRevision(query),
    revision,
  })
  const entries = [...page.entries()]
  for (let at = 0; at < entries.length; at += atOnce) {
    const deletions = entries.slice(at, at + atOnce).map(async (entry) => {
      const { name = '', namespace = '' } = entry.object().metadata
      await store
        .delete({ namespace, name }, structuredClone(options), context)
        .catch(ignoreNotFound)
    })
    await Promise.all(deletions)
  }
  await writeList(exchange, resource, page, format)
}

/** The library collects in pages, so that a revision is that very one where a list would take a newer one.
 *  Source: observed answers. */
function atItsRevision(query: ListOptions): ListOptions {
  const { resourceVersion, resourceVersionMatch } = query
  const isAny = resourceVersion === '' || resourceVersion === '0' || resourceVersionMatch !== ''
  return isAny ? query : { ...query, resourceVersionMatch: 'Exact' }
}
