/** The work, which is begun by the first call, shared by all, and begun anew by the next one after it failed. */
export function untilDone(work: () => Promise<void>): () => Promise<void> {
  let begun: Promise<void> | undefined
  return () =>
    (begun ??= work().catch((error: unknown) => {
      begun = undefined
      throw error
    }))
}
