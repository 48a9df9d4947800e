import { setTimeout as delay } from 'node:timers/promises'
import type { SeededRandom } from '../../conformance/crash/seededRandom.ts'
import type { Replica } from '../targets/target.ts'
import { isOfTraffic, seenOf, type ApiObject } from './apiObjects.ts'
import type { History, Label, Span } from './history.ts'
import { parsed } from './outcomeOf.ts'
import { readSnapshot } from './readSnapshot.ts'
import type { Marks } from './writeMarks.ts'

export interface WatcherOptions {
  name: string
  replicas: readonly Replica[]
  path: string
  /** Revision after which it starts. */
  since: number
  /** Label of the objects; absent: all. */
  label?: Label
  /** Maximum duration of a connection, which is then ended and resumed elsewhere. */
  connectionMs: number
  random: SeededRandom
  history: History
}

const backOffMs = 100
const timeoutMs = 8_000

/** Watches from one replica after another, each time from the last received revision. */
export class Watcher {
  readonly #options: WatcherOptions
  /** Revision of the last event or bookmark. */
  #revision: number
  #refusals = 0

  constructor(options: WatcherOptions) {
    this.#options = options
    this.#revision = options.since
  }

  hasReached({ until, labels }: Marks): boolean {
    const { label } = this.#options
    return this.#revision >= (label === undefined ? until : labels[label])
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const { random, replicas } = this.#options
      const replica = replicas[random.between(0, replicas.length)]
      if (replica !== undefined) await this.#watch(replica, signal)
      if (!signal.aborted) await delay(backOffMs)
    }
  }

  async #watch({ daemon, connection }: Replica, signal: AbortSignal): Promise<void> {
    const { name, label, history, path, random, connectionMs } = this.#options
    const span: Span = {
      ...{ watcher: name, replica: daemon.name, since: this.#revision, events: [] },
      ...(label !== undefined && { label }),
    }
    history.spans.push(span)
    const filter = label === undefined ? '' : `&labelSelector=side%3D${label}`
    const query = `watch=true&allowWatchBookmarks=true&resourceVersion=${span.since}${filter}`
    const until = AbortSignal.timeout(random.between(connectionMs / 2, connectionMs))
    let isExpired = false
    const answer = await connection.follow(
      `${path}?${query}`,
      AbortSignal.any([signal, until]),
      (line) => {
        isExpired ||= this.#take(span, parsed(line) as Line | undefined)
      },
    )
    if (answer.status === 410) isExpired = true
    else if (![0, 200, 429, 500, 503, 504].includes(answer.status))
      history.unexpected.push(`watch: ${answer.status} ${answer.text}`)
    if (isExpired) await this.#beginAnew()
    else this.#refusals = 0
  }

  /** Reports whether the watch ended because its revision was compacted. */
  #take(span: Span, line: Line | undefined): boolean {
    if (line?.object === undefined) return false
    const { type, object } = line
    if (type === 'ERROR')
      return /expired|too old|Gone/i.test(object.reason + (object.message ?? ''))
    const at = performance.now()
    const { value, revision } = seenOf(object)
    if (type === 'BOOKMARK') span.events.push({ type, revision, at })
    else if (isOfTraffic(object))
      span.events.push({ type, name: object.metadata?.name ?? '', value, revision, at })
    this.#revision = Math.max(this.#revision, revision)
    return false
  }

  /**
   * Another replica may still have the history; a list is the last resort, since it hides the
   * changes in between.
   */
  async #beginAnew(): Promise<void> {
    const { replicas, path, history, random } = this.#options
    if (++this.#refusals <= replicas.length * 3) return
    const replica = replicas[random.between(0, replicas.length)]
    const read = replica && (await readSnapshot(replica.connection, path, { timeoutMs, history }))
    if (read === undefined) return
    history.expired++
    this.#refusals = 0
    this.#revision = Math.max(this.#revision, read.revision)
  }
}

type Line =
  | { type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK'; object: ApiObject }
  | { type: 'ERROR'; object: ApiObject }
