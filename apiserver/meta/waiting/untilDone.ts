/** Runs work at the first call and shares it with later ones; after a failure the next call starts it again. */
export function untilDone<T>(work: () => Promise<T>): () => Promise<T> {
  let begun: Promise<T> | undefined
  return () =>
    (begun ??= work().catch((error: unknown) => {
      begun = undefined
      throw error
    }))
}
