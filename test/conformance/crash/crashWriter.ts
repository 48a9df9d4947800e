import type { ApiClient, Answer } from '../support/apiClient.ts'
import { revisionOf, type ApiObject } from '../support/objects.ts'
import type { Ledger } from './ledger.ts'
import { sealed, sealOf } from './sealedObject.ts'
import type { SeededRandom } from './seededRandom.ts'

interface WriterOptions {
  number: number
  client: ApiClient
  path: string
  ledger: Ledger
  random: SeededRandom
}

const namesPerWriter = 8

/** Creates, updates and deletes objects that no other writer changes, one write at a time. */
export class CrashWriter {
  readonly #options: WriterOptions
  #writes = 0

  constructor(options: WriterOptions) {
    this.#options = options
  }

  /** Writes until the server is killed. @throws Error for an unexpected response. */
  async writeUntilCrash(): Promise<void> {
    for (;;) {
      try {
        await this.write()
      } catch (error) {
        // fetch throws a TypeError without a response: the write stays open in the ledger.
        if (error instanceof TypeError) return
        throw error
      }
    }
  }

  /** Sends one write; resolves with its response. */
  async write(): Promise<void> {
    const { number, ledger, random } = this.#options
    const name = `w${number}-${random.between(0, namesPerWriter)}`
    const { seal, revision } = ledger.known(name)
    if (seal === undefined) return this.#put('POST', name)
    if (random.fraction() < 0.25) return this.#delete(name, revision)
    return this.#put('PUT', name, revision)
  }

  async #put(method: 'POST' | 'PUT', name: string, revision?: number): Promise<void> {
    const { client, ledger, number, path, random } = this.#options
    const object = sealed(name, `w${number}-${++this.#writes}-${random.between(0, 1e9)}`, random)
    const seal = sealOf(object)
    if (revision !== undefined) object.metadata.resourceVersion = String(revision)
    ledger.sent(name, seal)
    const url = method === 'POST' ? path : `${path}/${name}`
    const answer = await client.request(method, url, { body: object })
    const written = expectStatus(answer, method === 'POST' ? 201 : 200) as ApiObject
    if (sealOf(written) !== seal) throw new Error(`${name}: the answer is not what was sent`)
    ledger.answered(name, { seal, revision: revisionOf(written) })
  }

  async #delete(name: string, revision: number): Promise<void> {
    const { client, ledger, path } = this.#options
    const body = { preconditions: { resourceVersion: String(revision) } }
    ledger.sent(name, undefined)
    expectStatus(await client.request('DELETE', `${path}/${name}`, { body }), 200)
    ledger.answered(name, { seal: undefined, revision })
  }
}

function expectStatus({ status, text }: Answer, expected: number): unknown {
  if (status !== expected) throw new Error(`Expected ${expected}, got ${status}: ${text}`)
  return JSON.parse(text)
}
