import type { Timer } from '../meta/clock.ts'
import type { AuditSettings } from './auditSettings.ts'
import type { AuditSink, SinkOptions } from './auditSink.ts'
import { LineQueue } from './lineQueue.ts'
import { EventSearch, type EventPage, type EventQuery } from './eventSearch.ts'
import { EventTable, isRefusal } from './eventTable.ts'

const maxQueuedBytes = 32 * 1024 * 1024
const maxRows = 500
const maxBatchBytes = 4 * 1024 * 1024
/** Time in milliseconds that an event waits to be batched with others. */
const gatherMs = 500
const retryMs = 5_000
const hourMs = 60 * 60 * 1000

export type DataStoreSettings = Pick<AuditSettings, 'dataStoreEndpoint' | 'dataStoreTTL'>

/**
 * The database sink. Events are inserted in batches. While the database is unreachable, they wait
 * in a bounded queue; events that do not fit are dropped and counted.
 */
export class DataStoreSink implements AuditSink {
  readonly #settings: DataStoreSettings
  readonly #options: SinkOptions
  readonly #table: EventTable
  readonly #search: EventSearch
  readonly #queue = new LineQueue(maxQueuedBytes)
  #timer: Timer | undefined
  #running: Promise<void> | undefined
  #isClosing = false

  constructor(settings: DataStoreSettings, options: SinkOptions) {
    this.#settings = settings
    this.#options = options
    const onError = (error: unknown) => options.onError('database', error, 0)
    const { dataStoreEndpoint = '' } = settings
    this.#table = new EventTable(dataStoreEndpoint, onError)
    this.#search = new EventSearch(dataStoreEndpoint, onError)
  }

  async find(query: EventQuery): Promise<EventPage> {
    await this.#table.make()
    return this.#search.find(query)
  }

  write(line: string): void {
    if (!this.#queue.push(line)) {
      this.#options.onError('database', new Error('the queue of the audit database is full'), 1)
    } else if (this.#running === undefined) this.#runAfter(gatherMs)
  }

  async prune(): Promise<void> {
    const hours = this.#settings.dataStoreTTL ?? 0
    if (hours === 0) return
    const before = this.#options.clock.now() - hours * hourMs
    await this.#table.removeBefore(before).catch((error: unknown) => {
      this.#options.onError('database', error, 0)
    })
  }

  async close(): Promise<void> {
    this.#isClosing = true
    this.#timer?.cancel()
    this.#run()
    await this.#running
    const left = this.#queue.length
    if (left > 0) {
      const why = 'the audit database was closed before all was written'
      this.#options.onError('database', new Error(why), left)
    }
    await Promise.all([this.#table.close(), this.#search.close()])
  }

  #runAfter(delayMs: number): void {
    this.#timer ??= this.#options.clock.setTimer(() => this.#run(), delayMs)
  }

  #run(): void {
    this.#timer = undefined
    this.#running ??= this.#drain().finally(() => (this.#running = undefined))
  }

  /** Inserts until the queue is empty or the database is unreachable. */
  async #drain(): Promise<void> {
    await this.#options.after
    while (this.#queue.length > 0) {
      const lines = this.#queue.peek(maxRows, maxBatchBytes)
      const lost = await this.#insert(lines)
      if (lost === undefined) {
        if (!this.#isClosing) this.#runAfter(retryMs)
        return
      }
      this.#queue.drop(lines.length)
    }
  }

  /**
   * Inserts a batch and returns the number of lost lines; undefined: the database is unreachable. A batch that the
   * database rejects is retried line by line, so that only the invalid line is lost.
   */
  async #insert(lines: readonly string[]): Promise<number | undefined> {
    try {
      await this.#table.insert(lines)
      return 0
    } catch (error) {
      const isFault = isRefusal(error)
      this.#options.onError('database', error, isFault && lines.length === 1 ? 1 : 0)
      if (!isFault) return undefined
    }
    if (lines.length === 1) return 1
    for (const line of lines) if ((await this.#insert([line])) === undefined) return undefined
    return 0
  }
}
