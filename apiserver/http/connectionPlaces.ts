import { readFile } from 'node:fs/promises'

/** What storage, certificates and outgoing connections keep of the files that a process may open, at most. */
const otherFiles = 2_048

/** How many connections the listeners of a server may have together. A process that has no file left to open can take no
 *  writes either, and whoever reaches the server can open connections. */
export class ConnectionPlaces {
  readonly #max: number
  readonly #listeners: (() => number)[] = []
  #taken = 0

  constructor(max = Infinity) {
    this.#max = max
  }

  /** A listener that shares the places: `yieldIdle` ends idle connections of its own, and gives how many. */
  share(yieldIdle: () => number): void {
    this.#listeners.push(yieldIdle)
  }

  /** Takes a place, that of an idle connection where there is no other; gives the function that gives it back, of which a
   *  second call has no effect. Undefined: all are in use. */
  take(): (() => void) | undefined {
    if (this.#taken >= this.#max && !this.#listeners.some((yieldIdle) => yieldIdle() > 0))
      return undefined
    this.#taken++
    let isTaken = true
    return () => {
      if (isTaken) this.#taken--
      isTaken = false
    }
  }
}

/** As many connections as the process may open files, but for a quarter that is for all else, or as much as that can be. */
export async function connectionPlaces(): Promise<ConnectionPlaces> {
  const files = await openFilesLimit()
  return new ConnectionPlaces(files - Math.min(otherFiles, Math.ceil(files / 4)))
}

/** Infinity where the system does not tell. Source: proc_pid_limits(5). */
async function openFilesLimit(): Promise<number> {
  const limits = await readFile('/proc/self/limits', 'latin1').catch(() => '')
  const [, soft] = /^Max open files\s+(\d+)/m.exec(limits) ?? []
  return soft === undefined ? Infinity : Number(soft)
}
