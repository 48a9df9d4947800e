/** Time as the server sees it. One clock is made by the composition root and handed down, so that a test
 *  can stop it or jump it. Socket time-outs and disk syncs keep real time. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Calls `callback` once, `delayMs` from now. The handle must be cancelled by whoever set it. */
  setTimer(callback: () => void, delayMs: number): Timer
}

export interface Timer {
  cancel(): void
}

/** Chance as the server sees it: uids, name suffixes, keys, jitter. */
export interface Random {
  /** A version 4 UUID. */
  uuid(): string
  /** `count` random bytes, fit for secrets. */
  bytes(count: number): Buffer
  /** A number in [0, 1), not for secrets. */
  fraction(): number
}

let lastSecond = NaN
let lastText = ''

/** RFC 3339, UTC, whole seconds: how `metav1.Time` stands on the wire. Most calls are for the second of the call before. */
export function formatTime(epochMs: number): string {
  const second = Math.floor(epochMs / 1000)
  if (second !== lastSecond) {
    lastText = new Date(second * 1000).toISOString().slice(0, 19) + 'Z'
    lastSecond = second
  }
  return lastText
}
