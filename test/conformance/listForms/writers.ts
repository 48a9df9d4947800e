import type { ApiClient } from '../support/apiClient.ts'

interface WritersOptions {
  client: ApiClient
  /** Path of the collection. */
  path: string
  /** Approximate number of objects. */
  objects: number
  count: number
}

/**
 * Change, delete and create the objects of one collection, each its own, until they are stopped.
 */
export class Writers {
  readonly #options: WritersOptions
  #isStopped = false
  #running: Promise<void>[] = []

  constructor(options: WritersOptions) {
    this.#options = options
  }

  /** Resolves when all objects exist; then the writes begin. */
  async start(): Promise<void> {
    const { objects, count } = this.#options
    for (let at = 0; at < objects; at++) await this.#create(at, 0)
    this.#running = Array.from({ length: count }, (_, number) => this.#write(number))
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await Promise.all(this.#running)
  }

  async #write(number: number): Promise<void> {
    const { client, path, objects, count } = this.#options
    for (let turn = 1; !this.#isStopped; turn++) {
      const at = number + ((turn * count) % (objects - (objects % count)))
      if (turn % 3 === 0) {
        await client.delete(`${path}/m${at}`)
        await this.#create(at, turn)
      } else await client.replace(`${path}/m${at}`, object(at, turn))
    }
  }

  async #create(at: number, turn: number): Promise<void> {
    await this.#options.client.create(this.#options.path, object(at, turn))
  }
}

function object(at: number, turn: number) {
  const labels = { color: (at + turn) % 2 === 0 ? 'red' : 'blue' }
  return { metadata: { name: `m${at}`, labels }, data: { turn: `${turn} `.repeat(30) } }
}
