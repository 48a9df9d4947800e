import { useCallback, useEffect, useState } from 'react'

export type Loaded<T> =
  { state: 'loading' } | { state: 'ready'; value: T } | { state: 'failed'; error: unknown }

/** Value of a request that is repeated when `keys` change; outdated results are dropped. */
export function useLoaded<T>(
  load: (signal: AbortSignal) => Promise<T>,
  keys: readonly unknown[],
): Loaded<T> & { reload: () => void } {
  const [loaded, setLoaded] = useState<Loaded<T>>({ state: 'loading' })
  const [turn, setTurn] = useState(0)
  const key = JSON.stringify(keys)
  useEffect(() => {
    const stop = new AbortController()
    setLoaded((old) => (old.state === 'ready' && turn > 0 ? old : { state: 'loading' }))
    load(stop.signal).then(
      (value) => stop.signal.aborted || setLoaded({ state: 'ready', value }),
      (error: unknown) => stop.signal.aborted || setLoaded({ state: 'failed', error }),
    )
    return () => stop.abort()
    // The keys represent everything that `load` depends on.
  }, [key, turn])
  const reload = useCallback(() => setTurn((old) => old + 1), [])
  return { ...loaded, reload }
}
