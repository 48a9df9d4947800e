export interface Allowance {
  /** Number of immediate attempts. */
  burst: number
  /** Time after which one more attempt is available. */
  refillMs: number
}

export interface Bucket {
  /** Available tokens, a fraction while one refills. */
  left: number
  /** Time of the last refill. */
  at: number
}

export function fullBucket({ burst }: Allowance, now: number): Bucket {
  return { left: burst, at: now }
}

/** Bucket as of `now`. A time in the future, from a clock that is ahead, is kept for at most one whole refill. */
export function refilled(
  { left, at }: Bucket,
  { burst, refillMs }: Allowance,
  now: number,
): Bucket {
  const gained = Math.max(0, now - at) / refillMs
  const latest = now + burst * refillMs
  return { left: Math.min(burst, left + gained), at: Math.min(Math.max(at, now), latest) }
}

/** Time until a token is available; 0: available now. */
export function waitMs({ left }: Bucket, { refillMs }: Allowance): number {
  return left >= 1 ? 0 : (1 - left) * refillMs
}
