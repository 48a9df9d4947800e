import { kindId, kindPath, type Kind } from './kinds.ts'

const metadataOnly = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io'
/** Concurrent requests: a browser with HTTP/1.1 has six connections, which pages need, too. */
const concurrency = 3

/** The reading part of a client. */
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

/**
 * Counts the objects of each kind from a list of one object and the server's remaining item count. Omits kinds that
 * cannot be counted.
 */
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
