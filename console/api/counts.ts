import { eachKind } from './eachKind.ts'
import { kindId, kindPath, type Kind } from './kinds.ts'

const metadataOnly = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io'

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
  await eachKind(kinds, signal, async (kind) => {
    const path = kindPath(kind, { namespace })
    const options = { accept: metadataOnly, query: { limit: '1' }, signal }
    const { metadata = {}, items } = await client.call<CountedList>(path, options)
    if (signal.aborted) return
    found(kindId(kind), (items?.length ?? 0) + (metadata.remainingItemCount ?? 0))
  })
}
