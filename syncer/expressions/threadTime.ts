import { readFileSync, readlinkSync } from 'node:fs'

/** The number of the thread that asks, as the system knows it; 0: the system does not say. */
export function ownThread(): number {
  try {
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1)) || 0
  } catch {
    return 0
  }
}

/** Processor time that a thread of this process has had, in milliseconds; undefined: the system does not say. */
export function threadTimeMs(thread: number): number | undefined {
  if (thread === 0) return undefined
  try {
    const [runNs] = readFileSync(`/proc/self/task/${thread}/schedstat`, 'latin1').split(' ')
    const ms = Number(runNs) / 1e6
    return Number.isFinite(ms) && ms > 0 ? ms : undefined
  } catch {
    return undefined
  }
}
