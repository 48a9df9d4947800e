/** The platform's limits for the lifetime of keys, in seconds. Source: specification, "Limits". */
export interface AccessKeyLimits {
  /** Limit for all keys, from their creation. 0 or undefined: no limit. */
  accessKeyMaxTTLSeconds?: number
  /** Limit for keys created by logins. 0: no limit; undefined: 20 days. */
  loginAccessKeyTTLSeconds?: number
}

/** The lifetime of a key: durations in milliseconds, times since the epoch. */
export interface AccessKeyLifetime {
  type: string
  /** Own time to live of the key; 0: unlimited. */
  ttlMs: number
  ttlAfterLastActivity: boolean
  createdAt: number
  lastActivityAt: number
}

/** `spec.type` of keys created by logins. */
export const loginType = 'Login'
const defaultLoginSeconds = 20 * 24 * 3600

/**
 * The time at which a key expires: the earliest according to its own time to live and the
 * platform's limits; Infinity: never. Activity only extends a key's own time to live.
 * Source: specification, "Authentication" 2 and 3.
 */
export function expiresAt(key: AccessKeyLifetime, limits: AccessKeyLimits): number {
  const { createdAt, lastActivityAt, ttlMs, ttlAfterLastActivity, type } = key
  const { accessKeyMaxTTLSeconds = 0, loginAccessKeyTTLSeconds = defaultLoginSeconds } = limits
  const loginSeconds = type === loginType ? loginAccessKeyTTLSeconds : 0
  let end = ttlMs === 0 ? Infinity : (ttlAfterLastActivity ? lastActivityAt : createdAt) + ttlMs
  if (accessKeyMaxTTLSeconds > 0) end = Math.min(end, createdAt + accessKeyMaxTTLSeconds * 1000)
  if (loginSeconds > 0) end = Math.min(end, createdAt + loginSeconds * 1000)
  return end
}
