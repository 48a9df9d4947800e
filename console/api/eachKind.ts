import type { Kind } from './kinds.ts'

/** Number of concurrent requests: a browser with HTTP/1.1 has six connections, which pages need, too. */
const concurrency = 3

/** Results in the order of the kinds, and the kinds for which the request failed. */
export interface EachKind<Result> {
  results: Result[]
  failed: Kind[]
}

/**
 * Sends a request for each kind, a few at a time. A failed kind does not affect the results of the
 * others. Ends early when the signal is aborted.
 */
export async function eachKind<Result>(
  kinds: readonly Kind[],
  signal: AbortSignal,
  request: (kind: Kind) => Promise<Result>,
): Promise<EachKind<Result>> {
  const found = new Map<Kind, Result>()
  const failed: Kind[] = []
  const queue = [...kinds]
  const work = async () => {
    for (let kind = queue.shift(); kind !== undefined; kind = queue.shift()) {
      if (signal.aborted) return
      try {
        found.set(kind, await request(kind))
      } catch {
        failed.push(kind)
      }
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  const results = kinds.flatMap((kind) => {
    const result = found.get(kind)
    return result === undefined ? [] : [result]
  })
  return { results, failed }
}
