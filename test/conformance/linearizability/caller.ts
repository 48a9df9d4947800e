import type { Answer, ApiClient } from '../support/apiClient.ts'
import { revisionOf, type ApiList, type ApiObject } from '../support/objects.ts'
import type { SeededRandom } from '../crash/seededRandom.ts'
import type { ObjectOperation, Outcome } from './objectModel.ts'

export interface CallerOptions {
  number: number
  client: ApiClient
  /** Path of the collection. */
  path: string
  names: readonly string[]
  random: SeededRandom
  /** History of all callers; each caller adds its operations. */
  history: ObjectOperation[]
}

type Asked = Omit<ObjectOperation, 'call' | 'end' | 'outcome' | 'caller'>

/**
 * Reads and writes a few objects that all callers share, and records its requests and their
 * results.
 */
export class Caller {
  readonly #options: CallerOptions
  /** Last revision seen. */
  readonly #seen = new Map<string, number>()
  #writes = 0

  constructor(options: CallerOptions) {
    this.#options = options
  }

  /** Performs operations one after another until the server is gone. */
  async callUntilCrash(): Promise<void> {
    for (;;) {
      try {
        await this.#call()
      } catch (error) {
        // fetch throws a TypeError without a response.
        if (error instanceof TypeError) return
        throw error
      }
    }
  }

  /**
   * Reads after a refusal: this is the most likely moment to find that the reason for the refusal
   * is missing.
   */
  async #call(): Promise<void> {
    const { random, names } = this.#options
    const choice = random.fraction()
    const name = names[random.between(0, names.length)] ?? ''
    if (choice < 0.05) return this.#list()
    const outcome = await this.#one(name, choice)
    if (outcome.kind !== 'done') await this.#send({ name, action: 'get' })
  }

  #one(name: string, choice: number): Promise<Outcome> {
    const expected = this.#seen.get(name)
    if (choice < 0.25) return this.#send({ name, action: 'get' })
    if (choice < 0.5) return this.#send({ name, action: 'create', wrote: this.#value() })
    if (choice < 0.6) return this.#send({ name, action: 'delete' })
    if (expected === undefined) return this.#send({ name, action: 'get' })
    if (choice < 0.65) return this.#send({ name, action: 'delete', expected })
    return this.#send({ name, action: 'update', wrote: this.#value(), expected })
  }

  #value(): string {
    return `${this.#options.number}-${++this.#writes}`
  }

  async #send(asked: Asked): Promise<Outcome> {
    const { number: caller, history } = this.#options
    const operation: ObjectOperation = {
      ...asked,
      caller,
      call: performance.now(),
      end: Infinity,
      outcome: { kind: 'unknown' },
    }
    // A read without a response proves nothing.
    if (asked.action !== 'get') history.push(operation)
    const outcome = outcomeOf(await this.#request(asked))
    operation.outcome = outcome
    if (outcome.kind !== 'unknown') operation.end = performance.now()
    if (asked.action === 'get') history.push(operation)
    this.#note(asked.name, outcome)
    return outcome
  }

  #note(name: string, outcome: Outcome): void {
    if (outcome.kind === 'done' && outcome.revision !== undefined)
      this.#seen.set(name, outcome.revision)
    else if (outcome.kind === 'absent') this.#seen.delete(name)
  }

  #request({ name, action, wrote, expected }: Asked): Promise<Answer> {
    const { client, path } = this.#options
    const resourceVersion = expected === undefined ? {} : { resourceVersion: String(expected) }
    const body = { metadata: { name, ...resourceVersion }, data: { value: wrote } }
    if (action === 'get') return client.request('GET', `${path}/${name}`)
    if (action === 'create') return client.request('POST', path, { body })
    if (action === 'update') return client.request('PUT', `${path}/${name}`, { body })
    const preconditions = expected === undefined ? {} : { preconditions: resourceVersion }
    return client.request('DELETE', `${path}/${name}`, { body: preconditions })
  }

  /** Reads every object at one moment. */
  async #list(): Promise<void> {
    const { client, path, names, number: caller, history } = this.#options
    const call = performance.now()
    const answer = await client.request('GET', path)
    const end = performance.now()
    if (answer.status !== 200) throw unexpected(answer)
    const { items } = JSON.parse(answer.text) as ApiList // what a list is
    for (const name of names) {
      const found = items.find(({ metadata }) => metadata.name === name)
      const outcome: Outcome = found === undefined ? { kind: 'absent' } : shown(found)
      history.push({ caller, name, action: 'get', call, end, outcome })
    }
  }
}

function outcomeOf(answer: Answer): Outcome {
  const { status, text } = answer
  const body = JSON.parse(text) as ApiObject & { reason?: string } // an object, or a Status
  if (status < 300) return body.kind === 'Status' ? { kind: 'done' } : shown(body)
  if (status === 404) return { kind: 'absent' }
  if (status === 409) return { kind: body.reason === 'AlreadyExists' ? 'exists' : 'conflict' }
  // The server was overloaded, or its disk refused the write.
  if (status === 429 || status === 503) return { kind: 'unknown' }
  throw unexpected(answer)
}

function shown(object: ApiObject): Outcome {
  const { data } = object as { data?: { value?: string } } // as it was sent
  return { kind: 'done', value: data?.value ?? '', revision: revisionOf(object) }
}

function unexpected({ status, text }: Answer): Error {
  return new Error(`An answer that nobody expects: ${status} ${text}`)
}
