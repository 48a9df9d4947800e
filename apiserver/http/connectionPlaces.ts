import { readFile } from 'node:fs/promises'

/** Maximum number of open files reserved for storage, certificates and outgoing connections. */
const otherFiles = 2_048

/**
 * A limit on connections, shared by the listeners of a server. A process that runs out of file descriptors cannot write
 * either, and any client can open connections.
 */
export class ConnectionPlaces {
  readonly #max: number
  readonly #listeners: (() => number)[] = []
  #taken = 0

  constructor(max = Infinity) {
    this.#max = max
  }

  /**
   * Registers a listener: `yieldIdle` closes idle connections of the listener, and returns their
   * number.
   */
  share(yieldIdle: () => number): void {
    this.#listeners.push(yieldIdle)
  }

  /**
   * Takes a slot, closing an idle connection if no slot is free; returns a function that releases
   * it, once. Undefined: all are in use.
   */
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

/** A limit equal to the process's limit of open files minus a reserve of at most a quarter. */
export async function connectionPlaces(): Promise<ConnectionPlaces> {
  const files = await openFilesLimit()
  return new ConnectionPlaces(files - Math.min(otherFiles, Math.ceil(files / 4)))
}

/** Limit of open files; Infinity if unknown. Source: proc_pid_limits(5). */
async function openFilesLimit(): Promise<number> {
  const limits = await readFile('/proc/self/limits', 'latin1').catch(() => '')
  const [, soft] = /^Max open files\s+(\d+)/m.exec(limits) ?? []
  return soft === undefined ? Infinity : Number(soft)
}
