import type { ApiClient } from '../support/apiClient.ts'
import { revisionOf, type ApiObject } from '../support/objects.ts'
import type { Shown } from './ledger.ts'
import { sealOf } from './sealedObject.ts'

interface WatchEvent {
  type: string
  object: ApiObject
}

/** Event without its sealed content. */
export interface SeenEvent {
  revision: number
  type: string
  name: string
  seal: string
}

interface FollowerOptions {
  client: ApiClient
  path: string
  /** Start revision of the watch, and the state at it. */
  revision: number
  state: ReadonlyMap<string, Shown>
  /** Resolves when the server serves again; rejects if it never will. */
  serving: () => Promise<void>
  saw: (revision: number) => void
}

/**
 * Watcher that resumes at the last revision it saw, after every restart of the server, and replays
 * its events. Violations of order or sequence are in `faults`.
 */
export class Follower {
  readonly faults: string[] = []
  readonly state: Map<string, Shown>
  revision: number
  readonly #sequence: SeenEvent[] = []
  readonly #options: FollowerOptions
  readonly #stop = new AbortController()
  readonly #done: Promise<void>

  constructor(options: FollowerOptions) {
    this.#options = options
    this.revision = options.revision
    this.state = new Map(options.state)
    this.#done = this.#run()
  }

  /** Events since the last call, in the order seen. */
  takeSequence(): SeenEvent[] {
    return this.#sequence.splice(0)
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#done
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      try {
        await this.#options.serving()
        await this.#follow()
      } catch (error) {
        // TypeError: the connection broke; AbortError: stop() was called.
        const isExpected = error instanceof TypeError || this.#stop.signal.aborted
        if (!isExpected) return void this.faults.push(String(error))
      }
    }
  }

  async #follow(): Promise<void> {
    const { client, path } = this.#options
    const query = `watch=true&allowWatchBookmarks=true&resourceVersion=${this.revision}`
    const body = await client.open(`${path}?${query}`, this.#stop.signal)
    let rest = ''
    const decoder = new TextDecoder()
    for await (const chunk of body) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
      // A line cut off by the crash is not an event.
      rest = lines.pop() ?? ''
      for (const line of lines) this.#see(JSON.parse(line) as WatchEvent)
    }
  }

  #see({ type, object }: WatchEvent): void {
    if (type === 'ERROR') throw new Error(`The watch ended with ${JSON.stringify(object)}`)
    const revision = revisionOf(object)
    if (revision < this.revision || (revision === this.revision && type !== 'BOOKMARK')) {
      this.faults.push(`${type} at ${revision} came after ${this.revision}`)
    }
    this.revision = revision
    this.#options.saw(revision)
    if (type !== 'BOOKMARK') this.#replay(type, object)
  }

  #replay(type: string, object: ApiObject): void {
    const name = String(object.metadata.name)
    const revision = revisionOf(object)
    const seal = sealOf(object)
    const isThere = this.state.has(name)
    if (isThere === (type === 'ADDED')) {
      this.faults.push(`${type} of ${name} at ${revision}, which was ${isThere ? '' : 'not '}there`)
    }
    if (type === 'DELETED') this.state.delete(name)
    else this.state.set(name, { seal, revision })
    this.#sequence.push({ revision, type, name, seal })
  }
}
