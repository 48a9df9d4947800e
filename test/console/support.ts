import { setTimeout as wait } from 'node:timers/promises'
import type { Send } from '../../console/watch/feed.ts'
import type { Surroundings } from '../../console/watch/surroundings.ts'
import type { RunningServer } from '../../apiserver/runtime/options/serverOptions.ts'

/** Sends requests to a server, counts them, and breaks connections or replaces responses. */
export class TestLine {
  readonly paths: string[] = []
  readonly #open = new Set<AbortController>()
  readonly #server: RunningServer
  /** Response in place of the server's; undefined: the server responds. */
  intercept: (path: string) => Response | undefined = () => undefined

  constructor(server: RunningServer) {
    this.#server = server
  }

  readonly send: Send = async (path, { headers, signal }) => {
    this.paths.push(path)
    const instead = this.intercept(path)
    if (instead !== undefined) return instead
    const cut = new AbortController()
    this.#open.add(cut)
    return fetch(`${this.#server.insecureUrl}${path}`, {
      headers: { ...headers, authorization: `Bearer ${this.#server.adminAccessKey}` },
      signal: AbortSignal.any([signal, cut.signal]),
    })
  }

  /** Breaks every open connection, like a network failure. */
  cut(): void {
    for (const controller of this.#open) controller.abort(new TypeError('network error'))
    this.#open.clear()
  }

  watches(): string[] {
    return this.paths.filter((path) => path.includes('watch=true'))
  }

  async create(path: string, object: unknown): Promise<void> {
    await this.#write('POST', path, object)
  }

  async patch(path: string, patch: unknown): Promise<void> {
    await this.#write('PATCH', path, patch)
  }

  async remove(path: string): Promise<void> {
    await this.#write('DELETE', path)
  }

  async #write(method: string, path: string, body?: unknown): Promise<void> {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
    const response = await fetch(`${this.#server.insecureUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.#server.adminAccessKey}`,
        'content-type': type,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(await response.text())
  }
}

/**
 * Real time, with delays reduced to a hundredth, so that tests of back-off are quick; each delay is
 * recorded.
 */
export function hastySurroundings(delays: number[] = []): Surroundings {
  return {
    now: () => performance.now(),
    after: (ms, callback) => {
      const isLong = ms > 60_000
      if (!isLong) delays.push(ms)
      const stop = new AbortController()
      wait(isLong ? ms : ms / 100, undefined, { signal: stop.signal, ref: false }).then(
        callback,
        () => undefined,
      )
      return () => stop.abort()
    },
    random: () => 0,
  }
}
