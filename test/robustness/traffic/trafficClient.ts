import { setTimeout as delay } from 'node:timers/promises'
import type { SeededRandom } from '../../conformance/crash/seededRandom.ts'
import type { ObjectOperation, Outcome } from '../../conformance/linearizability/objectModel.ts'
import type { Replica } from '../targets/target.ts'
import { objectOf, patchOf } from './apiObjects.ts'
import type { Asked } from './connection.ts'
import type { History } from './history.ts'
import { outcomeOf } from './outcomeOf.ts'
import { readSnapshot } from './readSnapshot.ts'

export interface TrafficClientOptions {
  number: number
  replicas: readonly Replica[]
  /** Path of the collection. */
  path: string
  names: readonly string[]
  random: SeededRandom
  history: History
  /** Maximum pause between two requests. */
  pauseMs: number
}

type Wanted = Omit<ObjectOperation, 'call' | 'end' | 'outcome' | 'caller'> & { isPatch?: boolean }

const timeoutMs = 8_000
/** Pause after a request without a response. */
const backOffMs = 150

/** Client that reads and writes a few objects through any replica, and records its requests and responses. */
export class TrafficClient {
  readonly #options: TrafficClientOptions
  /** Last revision seen. */
  readonly #seen = new Map<string, number>()
  #writes = 0

  constructor(options: TrafficClientOptions) {
    this.#options = options
  }

  async run(signal: AbortSignal): Promise<void> {
    const { random, pauseMs } = this.#options
    while (!signal.aborted) {
      const isAnswered = await this.#next()
      await delay(isAnswered ? random.between(1, pauseMs) : backOffMs)
    }
  }

  /** Reports whether there was a response. */
  async #next(): Promise<boolean> {
    const { random, names } = this.#options
    const choice = random.fraction()
    const name = names[random.between(0, names.length)] ?? ''
    if (choice < 0.1) return this.#list(choice < 0.03)
    const outcome = await this.#send(this.#wanted(name, choice))
    // After a refusal it is most likely to find that its reason is missing.
    if (['absent', 'exists', 'conflict'].includes(outcome.kind))
      await this.#send({ name, action: 'get' })
    return outcome.kind !== 'unknown'
  }

  #wanted(name: string, choice: number): Wanted {
    const expected = this.#seen.get(name)
    if (choice < 0.3) return { name, action: 'get' }
    if (choice < 0.5) return { name, action: 'create', wrote: this.#value() }
    if (choice < 0.58) return { name, action: 'delete' }
    if (choice < 0.68) return { name, action: 'update', wrote: this.#value(), isPatch: true }
    if (expected === undefined) return { name, action: 'get' }
    if (choice < 0.74) return { name, action: 'delete', expected }
    return { name, action: 'update', wrote: this.#value(), expected }
  }

  #value(): string {
    return `${this.#options.number}-${++this.#writes}`
  }

  #replica(): Replica | undefined {
    const { random, replicas } = this.#options
    return replicas[random.between(0, replicas.length)]
  }

  async #send({ isPatch, ...wanted }: Wanted): Promise<Outcome> {
    const { number: caller, history } = this.#options
    const operation: ObjectOperation = {
      ...{ ...wanted, caller, call: performance.now(), end: Infinity },
      outcome: { kind: 'unknown' },
    }
    const { action, name } = wanted
    // A read without a response proves nothing.
    if (action !== 'get') history.operations.push(operation)
    const asked = this.#request(wanted, isPatch ?? false)
    const replica = this.#replica()
    history.asked.set(operation, replica?.daemon.name ?? '')
    const answer = await replica?.connection.request(asked, timeoutMs).catch(() => undefined)
    if (answer === undefined) return operation.outcome
    operation.outcome = outcomeOf(answer, (text) =>
      history.unexpected.push(`${asked.method} ${asked.path}: ${text}`),
    )
    if (operation.outcome.kind === 'unknown') return operation.outcome
    operation.end = performance.now()
    if (action === 'get') history.operations.push(operation)
    this.#note(name, operation.outcome)
    return operation.outcome
  }

  #note(name: string, outcome: Outcome): void {
    if (outcome.kind === 'done' && outcome.revision !== undefined)
      this.#seen.set(name, outcome.revision)
    else if (outcome.kind === 'absent') this.#seen.delete(name)
  }

  #request({ name, action, wrote = '', expected }: Wanted, isPatch: boolean): Asked {
    const { path } = this.#options
    const one = `${path}/${name}`
    if (action === 'get') return { method: 'GET', path: one }
    if (action === 'create') return { method: 'POST', path, body: objectOf(name, wrote) }
    if (action === 'update') return isPatch ? patch(one, wrote) : put(one, name, wrote, expected)
    const preconditions = { preconditions: { resourceVersion: String(expected) } }
    return { method: 'DELETE', path: one, body: expected === undefined ? {} : preconditions }
  }

  async #list(isPaged: boolean): Promise<boolean> {
    const { path, history, number: caller } = this.#options
    const replica = this.#replica()
    if (replica === undefined) return false
    const call = performance.now()
    const read = await readSnapshot(replica.connection, path, { isPaged, timeoutMs, history })
    if (read === undefined) return false
    const times = { call, end: performance.now() }
    history.snapshots.push({ ...read, caller, replica: replica.daemon.name, ...times })
    return true
  }
}

function patch(path: string, value: string): Asked {
  return {
    method: 'PATCH',
    path,
    body: patchOf(value),
    contentType: 'application/merge-patch+json',
  }
}

function put(path: string, name: string, value: string, expected: number | undefined): Asked {
  return { method: 'PUT', path, body: objectOf(name, value, expected) }
}
