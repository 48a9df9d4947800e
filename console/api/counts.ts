import { kindId, kindPath, type Kind } from './kinds.ts'

const metadataOnly = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io'
/** Requests under way at once: a browser with HTTP/1.1 has six connections, which pages need, too. */
const concurrency = 3

/** The part of a client that reads. */
interface Reader {
  call: <T>(
    path: string,
    options: { accept: string; query: Record<string, string>; signal: AbortSignal },
  ) => Promise<T>
}

interface CountedList {
  metadata?: { remainingItemCount?: number }
  items?: readonly unknown[] | null
}

/** Counts the objects of each kind by a list of one object and what the server says remains. A kind that cannot be counted is
 *  left out. */
export async function readCounts(
  client: Reader,
  kinds: readonly Kind[],
  { namespace, signal }: { namespace: string; signal: AbortSignal },
  found: (id: string, count: number) => void,
): Promise<void> {
  const queue = [...kinds]
  const work = async () => {
    for (let kind = queue.shift(); kind !== undefined; kind = queue.shift()) {
      const path = kindPath(kind, { namespace })
      const options = { accept: metadataOnly, query: { limit: '1' }, signal }
      const list = await client.call<CountedList>(path, options).catch(() => undefined)
      if (signal.aborted) return
      if (list === undefined) continue
      const { metadata = {}, items } = list
      found(kindId(kind), (items?.length ?? 0) + (metadata.remainingItemCount ?? 0))
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
}
