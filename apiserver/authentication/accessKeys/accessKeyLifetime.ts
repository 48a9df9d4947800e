/** The platform's limits on the lifetime of keys, in seconds. Source: specification, "Limits". */
export interface AccessKeyLimits {
  /** For every key, from its creation. 0 or undefined: no limit. */
  accessKeyMaxTTLSeconds?: number
  /** For keys of logins. 0: no limit; undefined: 20 days. */
  loginAccessKeyTTLSeconds?: number
}

/** How long a key lives. Milliseconds; moments since the epoch. */
export interface AccessKeyLifetime {
  type: string
  /** 0: no limit of its own. */
  ttlMs: number
  ttlAfterLastActivity: boolean
  createdAt: number
  lastActivityAt: number
}

/** `spec.type` of the keys that logins make. */
export const loginType = 'Login'
const defaultLoginSeconds = 20 * 24 * 3600

/** The moment from which a key is of no use: the earliest of what its own time to live and the platform's limits say.
 *  Infinity: it has no end. Activity extends a key's own time to live only.
 *  Source: specification, "Authentication" 2 and 3. */
export function expiresAt(key: AccessKeyLifetime, limits: AccessKeyLimits): number {
  const { createdAt, lastActivityAt, ttlMs, ttlAfterLastActivity, type } = key
  const { accessKeyMaxTTLSeconds = 0, loginAccessKeyTTLSeconds = defaultLoginSeconds } = limits
  const loginSeconds = type === loginType ? loginAccessKeyTTLSeconds : 0
  let end = ttlMs === 0 ? Infinity : (ttlAfterLastActivity ? lastActivityAt : createdAt) + ttlMs
  if (accessKeyMaxTTLSeconds > 0) end = Math.min(end, createdAt + accessKeyMaxTTLSeconds * 1000)
  if (loginSeconds > 0) end = Math.min(end, createdAt + loginSeconds * 1000)
  return end
}
