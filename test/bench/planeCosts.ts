/** What one of many control planes costs. */
export interface PlaneCosts {
  /** From the first request to its first objects on disk: the median. */
  createMs: number
  createP99Ms: number
  /** Of one that was dropped when nobody used it. */
  reopenMs: number
  /** Of one that nobody has ever asked for: its object alone. */
  unusedBytes: number
  /** Of one that was used and is dropped: its object, and its own first objects. */
  idleBytes: number
  /** After it was deleted. */
  leftBytes: number
}
