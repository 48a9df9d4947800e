/** The groups of events that share one allowance. */
export const eventLimitTypes = ['Namespace', 'Server', 'SourceAndObject', 'User'] as const

export type EventLimitType = (typeof eventLimitTypes)[number]

/** An allowance of writes of events. Source: Kubernetes, EventRateLimit. */
export interface EventLimit {
  type: EventLimitType
  /** Writes a second after the burst. */
  qps: number
  burst: number
  /** Maximum number of groups that are remembered, the latest ones; others have their whole burst again. */
  cacheSize: number
}
