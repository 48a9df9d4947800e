/**
 * The server's time. One clock is created by the composition root and passed down, so that a test can stop or advance
 * it. Socket timeouts and disk syncs use real time.
 */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Calls `callback` once, `delayMs` from now. The caller must cancel the handle. */
  setTimer(callback: () => void, delayMs: number): Timer
}

export interface Timer {
  cancel(): void
}

/** The server's random source: uids, name suffixes, keys, jitter. */
export interface Random {
  /** A version 4 UUID. */
  uuid(): string
  /** `count` random bytes, suitable for secrets. */
  bytes(count: number): Buffer
  /** A number in [0, 1), not for secrets. */
  fraction(): number
}

let lastSecond = NaN
let lastText = ''

/** Formats a `metav1.Time`: RFC 3339, UTC, whole seconds. Most calls are for the same second as the previous one. */
export function formatTime(epochMs: number): string {
  const second = Math.floor(epochMs / 1000)
  if (second !== lastSecond) {
    lastText = new Date(second * 1000).toISOString().slice(0, 19) + 'Z'
    lastSecond = second
  }
  return lastText
}
