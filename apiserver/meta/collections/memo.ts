/** Function that creates a value on the first call, and returns the same value on later calls. */
export function memo<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => (made ??= { value: make() }).value
}
