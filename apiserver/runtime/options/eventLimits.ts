/** Groups of events that share one limit. */
export const eventLimitTypes = ['Namespace', 'Server', 'SourceAndObject', 'User'] as const

export type EventLimitType = (typeof eventLimitTypes)[number]

/** Rate limit for writes of events. Source: Kubernetes, EventRateLimit. */
export interface EventLimit {
  type: EventLimitType
  /** Writes per second after the burst. */
  qps: number
  burst: number
  /**
   * Maximum number of remembered groups, the most recent ones; others get their whole burst again.
   */
  cacheSize: number
}
