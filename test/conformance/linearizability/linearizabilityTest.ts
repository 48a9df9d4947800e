import { setTimeout as delay } from 'node:timers/promises'
import { SeededRandom } from '../crash/seededRandom.ts'
import { namespaceObject, namespacesPath } from '../support/objects.ts'
import { ServerProcess, type Surroundings } from '../support/serverProcess.ts'
import { Caller } from './caller.ts'
import { checkLinearizable } from './checkLinearizable.ts'
import { describeContradiction } from './describeContradiction.ts'
import { objectModel, type ObjectOperation } from './objectModel.ts'

const callers = 16
const names = ['a', 'b', 'c', 'd']
const namespace = 'linear'
const path = `/api/v1/namespaces/${namespace}/configmaps`
const callsPerRound = { least: 300, most: 600 }
const roundSeconds = 8

/** History of many callers and a few objects across crashes of the server. */
export class LinearizabilityTest {
  readonly history: ObjectOperation[] = []
  readonly #server: ServerProcess

  constructor(around: Surroundings) {
    this.#server = new ServerProcess(around, 'linearizability')
  }

  async open(): Promise<void> {
    await this.#server.start()
    await this.#server.client().create(namespacesPath, namespaceObject(namespace))
  }

  close(): Promise<void> {
    return this.#server.kill()
  }

  /**
   * Calls, kills the server during the calls, and restarts it. @throws Error for an unexpected
   * response.
   */
  async round(random: SeededRandom): Promise<void> {
    const client = this.#server.client()
    const calling = Array.from({ length: callers }, (_, number) => {
      const own = new SeededRandom(random.between(0, 2 ** 31))
      const options = { number, client, path, names, random: own, history: this.history }
      return new Caller(options).callUntilCrash()
    })
    const called = Promise.all(calling)
    // Errors of a caller are thrown below, after the server has ended.
    called.catch(() => undefined)
    await this.#called(random.between(callsPerRound.least, callsPerRound.most))
    await this.#server.kill()
    await called
    this.#endUnknown()
    await this.#server.start()
  }

  /** Faults: histories that no single object explains. */
  faults(): string[] {
    return names.flatMap((name) => {
      const own = this.history.filter((operation) => operation.name === name)
      const found = checkLinearizable(own, objectModel)
      if (found === 'undecided') return [`${name}: too many orders to decide`]
      return found === undefined ? [] : [describeContradiction(name, own, found)]
    })
  }

  /**
   * Resolves after `count` more calls, so that the kill does not come earlier on a slow machine.
   */
  async #called(count: number): Promise<void> {
    const wanted = this.history.length + count
    const deadline = Date.now() + roundSeconds * 1000
    while (this.history.length < wanted && Date.now() < deadline) await delay(2)
  }

  /**
   * Ends operations without a response: a write that was not done before the crash is never done.
   */
  #endUnknown(): void {
    const now = performance.now()
    for (const operation of this.history) {
      if (operation.end === Infinity) operation.end = now
    }
  }
}
