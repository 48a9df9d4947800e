import { setTimeout as delay } from 'node:timers/promises'
import { eventually } from '../support/eventually.ts'
import { namespaceObject, namespacesPath, revisionOf, secretsPath } from '../support/objects.ts'
import { ServerProcess, type Surroundings } from '../support/serverProcess.ts'
import { CrashWriter } from './crashWriter.ts'
import { Follower } from './follower.ts'
import { Gate } from './gate.ts'
import { Ledger, type Shown } from './ledger.ts'
import { sealed, sealOf } from './sealedObject.ts'
import { SeededRandom } from './seededRandom.ts'
import { sequenceFaults, stateFaults } from './sequenceFaults.ts'

const writers = 8
const followers = 3
const writeSeconds = 5
const namespace = 'crash'
const path = secretsPath(namespace)

interface Snapshot {
  revision: number
  state: ReadonlyMap<string, Shown>
}

/** Crash test of one server folder, with all recorders of the server's responses. */
export class CrashTest {
  /** Totals so far. */
  readonly sums = { acknowledged: 0, events: 0, slowestStartMs: 0 }
  readonly #server: ServerProcess
  readonly #ledger = new Ledger()
  readonly #serving = new Gate()
  #followers: Follower[] = []
  /** State of the server before the round. */
  #before: Snapshot = { revision: 0, state: new Map() }

  constructor(around: Surroundings) {
    this.#server = new ServerProcess(around, 'crash')
  }

  async open(): Promise<void> {
    await this.#server.start()
    await this.#server.client().create(namespacesPath, namespaceObject(namespace))
    this.#before = await this.#snapshot()
    this.#followers = Array.from({ length: followers }, () => this.#follow())
  }

  async close(): Promise<void> {
    await Promise.all(this.#followers.map((follower) => follower.stop()))
    await this.#server.stop()
  }

  /** Crashes the server once under load and checks the result. @throws Error with all faults. */
  async round(random: SeededRandom): Promise<void> {
    await this.#writeUntilKilled(random)
    await this.#restart(random)
    const wrong = await this.#compareList()
    // A follower may see the marker before its response arrives.
    const { highest } = this.#ledger
    const marker = await this.#mark(random)
    if (marker <= highest) wrong.push(`revision ${marker} is not a new one`)
    this.#ledger.saw(marker)
    wrong.push(...(await this.#compareFollowers(marker)))
    if (wrong.length > 0) throw new Error(wrong.slice(0, 20).join('\n'))
  }

  async #writeUntilKilled(random: SeededRandom): Promise<void> {
    const client = this.#server.client()
    const writing = Array.from({ length: writers }, (_, number) => {
      const own = new SeededRandom(random.between(0, 2 ** 31))
      const options = { number, client, path, ledger: this.#ledger, random: own }
      return new CrashWriter(options).writeUntilCrash()
    })
    const written = Promise.all(writing)
    // Errors of writers are thrown below, after the server has ended.
    written.catch(() => undefined)
    await this.#acknowledged(random.between(1, 150))
    // The kill may also come between two commits.
    await delay(random.between(0, 10))
    this.#serving.close()
    await this.#server.kill()
    await written
  }

  /**
   * Resolves after `count` more responses to writes, so that the kill does not come earlier on a
   * slow machine.
   */
  async #acknowledged(count: number): Promise<void> {
    const wanted = this.#ledger.answers + count
    const deadline = Date.now() + writeSeconds * 1000
    while (this.#ledger.answers < wanted && Date.now() < deadline) await delay(1)
  }

  /** Restarts the server; one restart in four is also killed during startup. */
  async #restart(random: SeededRandom): Promise<void> {
    if (random.fraction() < 0.25) {
      const starting = this.#server.start().catch(() => undefined)
      await delay(random.between(20, 400))
      await this.#server.kill()
      await starting
    }
    const started = performance.now()
    await this.#server.start()
    const ms = Math.round(performance.now() - started)
    this.sums.slowestStartMs = Math.max(this.sums.slowestStartMs, ms)
    this.#serving.open()
  }

  /**
   * Checks that every acknowledged write exists, and that the server's revision is not below any
   * seen before.
   */
  async #compareList(): Promise<string[]> {
    const { revision, state } = await this.#snapshot()
    const wrong = this.#ledger.settle(state)
    const { highest } = this.#ledger
    if (revision < highest) wrong.push(`the list is at ${revision}, seen was ${highest}`)
    this.#ledger.saw(revision)
    return wrong
  }

  /** Sends a write that every follower sees last. Returns its revision. */
  async #mark(random: SeededRandom): Promise<number> {
    const object = sealed('marker', `marker-${random.between(0, 1e9)}`, random)
    const answer = await this.#server.client().request('PUT', `${path}/marker`, { body: object })
    if (answer.status > 201) throw new Error(`The marker was refused: ${answer.text}`)
    const revision = revisionOf(JSON.parse(answer.text) as Parameters<typeof revisionOf>[0])
    this.#ledger.adopt('marker', { seal: sealOf(object), revision })
    return revision
  }

  /**
   * Checks that every follower, and one that replays the round from its beginning, saw the same
   * events without a gap, and that the result equals the list.
   */
  async #compareFollowers(marker: number): Promise<string[]> {
    const replay = this.#follow()
    const all = [...this.#followers, replay]
    const arrived = () => {
      const late = all.filter(({ revision, faults }) => revision < marker && faults.length === 0)
      if (late.length > 0) throw new Error(`${late.length} followers do not come to ${marker}`)
    }
    await eventually(arrived)
    await replay.stop()
    this.#before = await this.#snapshot()
    const written = this.#ledger.takeAcknowledged()
    const sequences = all.map((follower) => follower.takeSequence())
    this.sums.acknowledged = this.#ledger.answers
    this.sums.events += sequences[0]?.length ?? 0
    return [
      ...all.flatMap(({ faults }) => faults),
      ...all.flatMap(({ state }) => stateFaults(state, this.#before.state)),
      ...sequences.flatMap((sequence) => sequenceFaults(sequence, sequences[0] ?? [], written)),
    ]
  }

  #follow(): Follower {
    return new Follower({
      client: this.#server.client(),
      path,
      ...this.#before,
      serving: () => this.#serving.passed(),
      saw: (revision) => this.#ledger.saw(revision),
    })
  }

  async #snapshot(): Promise<Snapshot> {
    const { items, metadata } = await this.#server.client().list(path)
    const state = new Map(
      items.map((item) => [
        String(item.metadata.name),
        { seal: sealOf(item), revision: revisionOf(item) },
      ]),
    )
    return { revision: Number(metadata.resourceVersion), state }
  }
}
