import { useEffect, useState } from 'react'
import { readCounts } from '../api/counts.ts'
import { kindId, type Kind } from '../api/kinds.ts'
import { useConsole } from '../shell/console.ts'

/** Numbers of objects by kind, loaded when the page opens and when its tab becomes visible again. */
export function useCounts(kinds: readonly Kind[]): ReadonlyMap<string, number> {
  const { client, namespace } = useConsole()
  const [counts, setCounts] = useState<ReadonlyMap<string, number>>(new Map())
  const key = kinds.map(kindId).join()
  useEffect(() => {
    const stop = new AbortController()
    const read = () => {
      if (document.hidden) return
      const found = (id: string, count: number) => setCounts((old) => new Map(old).set(id, count))
      void readCounts(client, kinds, { namespace, signal: stop.signal }, found)
    }
    setCounts(new Map())
    read()
    document.addEventListener('visibilitychange', read)
    return () => {
      stop.abort()
      document.removeEventListener('visibilitychange', read)
    }
    // The key represents the kinds.
  }, [client, namespace, key])
  return counts
}
