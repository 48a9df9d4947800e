import { setTimeout as delay } from 'node:timers/promises'
import type { ApiClient } from '../support/apiClient.ts'
import { eventually } from '../support/eventually.ts'

const names = 20

/**
 * Creates, changes and deletes objects of a collection until it is stopped, whether or not the
 * server responds.
 */
export class SteadyWriter {
  readonly #client: ApiClient
  readonly #path: string
  readonly #done: Promise<void>
  #answered = 0
  #isStopped = false

  constructor(client: ApiClient, path: string) {
    this.#client = client
    this.#path = path
    this.#done = this.#run()
  }

  /** Resolves after `count` more successful writes. */
  async wrote(count: number): Promise<void> {
    const wanted = this.#answered + count
    await eventually(() => {
      if (this.#answered < wanted) throw new Error(`${wanted - this.#answered} writes are missing`)
    }, 20)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#done
  }

  async #run(): Promise<void> {
    for (let turn = 0; !this.#isStopped; turn++) {
      try {
        await this.#write(turn)
        this.#answered++
      } catch {
        // The server is down; the next turn tries again.
        await delay(10)
      }
    }
  }

  /** Writes one object; every seventh turn deletes, the others create or update. */
  async #write(turn: number): Promise<void> {
    const name = `steady-${(turn * 7) % names}`
    const path = `${this.#path}/${name}`
    if (turn % 7 === 6) return void (await this.#client.request('DELETE', path))
    const body = { metadata: { name }, spec: { displayName: `turn ${turn}` } }
    await this.#client.request('PUT', path, { body })
  }
}
