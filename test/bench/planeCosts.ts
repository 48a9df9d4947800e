/** Costs of one control plane among many. */
export interface PlaneCosts {
  /** Median time from the first request to the first objects on disk. */
  createMs: number
  createP99Ms: number
  /** Time to reopen a plane that was closed while idle. */
  reopenMs: number
  /** Disk space of an unused plane: only its object. */
  unusedBytes: number
  /** Disk space of a closed plane: its object and its first objects. */
  idleBytes: number
  /** Disk space after the deletion. */
  leftBytes: number
}
