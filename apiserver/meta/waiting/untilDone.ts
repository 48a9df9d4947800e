/** Runs work at the first call and shares it with later ones; after a failure the next call starts it again. */
export function untilDone(work: () => Promise<void>): () => Promise<void> {
  let begun: Promise<void> | undefined
  return () =>
    (begun ??= work().catch((error: unknown) => {
      begun = undefined
      throw error
    }))
}
