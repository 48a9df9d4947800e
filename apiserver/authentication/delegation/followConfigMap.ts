import { isObject } from '../../meta/json/isObject.ts'
import type { Clock, Random } from '../../meta/clock.ts'
import type { DelegateClient } from './delegateClient.ts'
import { pause } from './withRetries.ts'

export type ConfigMapData = Readonly<Record<string, string>>

export interface FollowOptions {
  client: Pick<DelegateClient, 'call' | 'stream' | 'closed'>
  namespace: string
  name: string
  clock: Clock
  random: Random
  /**
   * Called with the data initially and after each change. A deletion is ignored, so the last data
   * stays in effect.
   */
  changed: (data: ConfigMapData) => void
  /** Called with the reason if the config map currently cannot be followed. */
  failed: (error: unknown) => void
}

const watchSeconds = 300
const firstDelayMs = 1_000
const longestDelayMs = 30_000

/**
 * A config map of another API server, which is followed by list and watch until the client closes.
 */
export class FollowedConfigMap {
  readonly #options: FollowOptions
  readonly #path: string
  #version = ''

  constructor(options: FollowOptions) {
    this.#options = options
    const { namespace, name } = options
    const selector = encodeURIComponent(`metadata.name=${name}`)
    this.#path = `/api/v1/namespaces/${namespace}/configmaps?fieldSelector=${selector}`
  }

  /** Reads the config map. A missing config map is not reported. @throws DelegateError */
  async read(): Promise<void> {
    const list = await this.#options.client.call({ method: 'GET', path: this.#path })
    const { metadata, items } = list
    this.#version = versionOf(metadata)
    const found: unknown[] = Array.isArray(items) ? items : []
    this.#tell(found[0])
  }

  /**
   * Follows the config map, starting from the version that was read, if any. Ends when the client
   * closes.
   */
  async follow(): Promise<void> {
    const { client, clock, random, failed } = this.#options
    for (let delayMs = firstDelayMs; !client.closed.aborted;) {
      try {
        if (this.#version === '') await this.read()
        const isClean = await this.#watch()
        delayMs = firstDelayMs
        if (isClean) continue
      } catch (error) {
        if (client.closed.aborted) return
        failed(error)
        delayMs = Math.min(delayMs * 2, longestDelayMs)
      }
      this.#version = ''
      await pause(delayMs * (1 + random.fraction()), { clock, closed: client.closed })
    }
  }

  /** Runs one watch; returns whether another watch can continue where it ended. */
  async #watch(): Promise<boolean> {
    const path = `${this.#path}&watch=true&allowWatchBookmarks=true&timeoutSeconds=${watchSeconds}`
    const from = `${path}&resourceVersion=${this.#version}`
    const stop = new AbortController()
    // A silently broken connection would never end.
    const timer = this.#options.clock.setTimer(() => stop.abort(), (watchSeconds + 30) * 1_000)
    try {
      const answer = await this.#options.client.stream(from, stop.signal)
      let rest = ''
      let events = 0
      for await (const chunk of answer.setEncoding('utf8')) {
        const lines = (rest + String(chunk)).split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) {
          events++
          if (!this.#take(JSON.parse(line))) return false
        }
      }
      // A watch that keeps ending immediately is only repeated after a pause.
      return events > 0
    } finally {
      timer.cancel()
    }
  }

  /** Handles an event; returns false for an error event. */
  #take(event: unknown): boolean {
    if (!isObject(event) || event['type'] === 'ERROR') return false
    const object = event['object']
    if (event['type'] === 'ADDED' || event['type'] === 'MODIFIED') this.#tell(object)
    this.#version = versionOf(isObject(object) ? object['metadata'] : undefined)
    return true
  }

  #tell(object: unknown): void {
    if (!isObject(object)) return
    const data = isObject(object['data']) ? object['data'] : {}
    const texts = Object.entries(data).filter(([, value]) => typeof value === 'string')
    // Only strings remain.
    this.#options.changed(Object.fromEntries(texts) as ConfigMapData)
  }
}

/** The resource version; empty: none. */
function versionOf(metadata: unknown): string {
  const version = isObject(metadata) ? metadata['resourceVersion'] : undefined
  return typeof version === 'string' ? version : ''
}
