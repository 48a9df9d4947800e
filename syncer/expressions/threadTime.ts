import { readFileSync, readlinkSync } from 'node:fs'

/** The system's number of the calling thread; 0: unknown. */
export function ownThread(): number {
  try {
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1)) || 0
  } catch {
    return 0
  }
}

/** Processor time of a thread of this process, in milliseconds; undefined: unknown. */
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
