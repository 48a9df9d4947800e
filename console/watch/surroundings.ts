/** Clock and randomness of a watch client, which tests replace. */
export interface Surroundings {
  /** Milliseconds since an arbitrary moment. */
  now(): number
  /** Calls back once after `ms`; returns a function that cancels. */
  after(ms: number, callback: () => void): () => void
  /** Random number from 0 to below 1. */
  random(): number
}

export const realSurroundings: Surroundings = {
  now: () => performance.now(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms)
    return () => clearTimeout(timer)
  },
  random: () => Math.random(),
}
