import type { Clock, Timer } from '../meta/clock.ts'
import { jsonText } from '../meta/json/exactJson.ts'
import type { NamesProfile } from '../meta/names/namesProfile.ts'
import type { AuditEvent } from './auditEvent.ts'
import { auditPolicy, type DecideAudit } from './auditPolicy.ts'
import type { AuditSettings } from './auditSettings.ts'
import type { AuditSink, SinkName, SinkOptions } from './auditSink.ts'
import { DataStoreSink, type DataStoreSettings } from './dataStoreSink.ts'
import type { EventPage, EventQuery } from './eventSearch.ts'
import { FileSink, type FileSettings } from './fileSink.ts'

export interface AuditLogOptions {
  settings: AuditSettings
  clock: Clock
  names: NamesProfile
  /** Called with errors, at most once a minute. Requests are not affected. */
  report: (error: unknown) => void
}

/** Number of events and, by sink, of lost events. */
export interface AuditCounts {
  events: number
  lost: Readonly<Record<SinkName, number>>
}

const hourMs = 60 * 60 * 1000
const reportEveryMs = 60_000

interface OpenSink {
  sink: AuditSink
  /** Serialized settings with which the sink was opened. */
  key: string
}

/**
 * Records requests according to the settings. A request only waits for its event to be encoded:
 * sinks accept lines at once, and drop lines rather than delay requests.
 */
export class AuditLog {
  readonly #options: AuditLogOptions
  readonly #sinks = new Map<SinkName, OpenSink>()
  /** Resolves when all replaced sinks of the name are closed. */
  readonly #replaced = new Map<SinkName, Promise<unknown>>()
  /** Callbacks that record the end of open streams. */
  readonly #streams = new Set<() => void>()
  readonly #lost: Record<SinkName, number> = { log: 0, database: 0 }
  #events = 0
  #policy: DecideAudit | undefined
  #pruneTimer: Timer | undefined
  #reportedMs = -Infinity

  constructor(options: AuditLogOptions) {
    this.#options = options
    this.update(options.settings)
  }

  /** Policy in effect; undefined: auditing is disabled. */
  get policy(): DecideAudit | undefined {
    return this.#policy
  }

  get counts(): AuditCounts {
    return { events: this.#events, lost: { ...this.#lost } }
  }

  /**
   * Applies new settings, which must be valid. A sink with unchanged settings is kept; a replaced
   * sink writes its pending events before its successor starts, so that no event is lost.
   */
  update(settings: AuditSettings): void {
    const isOn = settings.enabled === true
    const { path = '', dataStoreEndpoint = '' } = settings
    this.#policy = isOn ? auditPolicy(settings, this.#options.names) : undefined
    this.#use(
      'log',
      isOn && path !== '' ? fileSettings(settings) : undefined,
      (chosen, options) => {
        return new FileSink(chosen, options)
      },
    )
    const dataStore = isOn && dataStoreEndpoint !== '' ? dataStoreSettings(settings) : undefined
    this.#use('database', dataStore, (chosen, options) => new DataStoreSink(chosen, options))
    this.#schedulePruning()
  }

  write(event: AuditEvent): void {
    if (this.#sinks.size === 0) return
    this.#events++
    const line = jsonText(event)
    for (const { sink } of this.#sinks.values()) sink.write(line)
  }

  /** Finds events in the data store, newest first; undefined: no data store is set. Events of the last second may be missing. */
  find(query: EventQuery): Promise<EventPage> | undefined {
    return this.#sinks.get('database')?.sink.find?.(query)
  }

  /**
   * Registers an open stream, which may last for hours, so that its end is recorded even if the log
   * is closed first. Returns a function to call when the stream ends by itself.
   */
  streamOpened(noteEnd: () => void): () => void {
    this.#streams.add(noteEnd)
    return () => void this.#streams.delete(noteEnd)
  }

  /** Flushes pending events. Later events are dropped. */
  async close(): Promise<void> {
    for (const noteEnd of this.#streams) noteEnd()
    this.update({ enabled: false })
    await Promise.all(this.#replaced.values())
  }

  #use<Settings>(
    name: SinkName,
    settings: Settings | undefined,
    make: (settings: Settings, options: SinkOptions) => AuditSink,
  ): void {
    const key = JSON.stringify(settings ?? null)
    const current = this.#sinks.get(name)
    if (current?.key === key) return
    const before = this.#replaced.get(name) ?? Promise.resolve()
    const after = current === undefined ? before : Promise.all([before, current.sink.close()])
    this.#replaced.set(name, after)
    this.#sinks.delete(name)
    if (settings === undefined) return
    const onError: SinkOptions['onError'] = (...failure) => this.#failed(...failure)
    const sink = make(settings, { clock: this.#options.clock, onError, after })
    this.#sinks.set(name, { sink, key })
    void after.then(() => sink.prune())
  }

  #schedulePruning(): void {
    this.#pruneTimer?.cancel()
    this.#pruneTimer = undefined
    if (this.#sinks.size === 0) return
    this.#pruneTimer = this.#options.clock.setTimer(() => {
      for (const { sink } of this.#sinks.values()) void sink.prune()
      this.#schedulePruning()
    }, hourMs)
  }

  #failed(name: SinkName, error: unknown, lost: number): void {
    this.#lost[name] += lost
    const nowMs = this.#options.clock.now()
    if (nowMs - this.#reportedMs < reportEveryMs) return
    this.#reportedMs = nowMs
    const message = `audit (${name}): events may be lost, ${this.#lost[name]} so far`
    this.#options.report(new Error(message, { cause: error }))
  }
}

function fileSettings(settings: AuditSettings): FileSettings {
  const { path = '', maxAge = 0, maxBackups = 0, maxSize = 0, compress = false } = settings
  return { path, maxAge, maxBackups, maxSize, compress }
}

function dataStoreSettings(settings: AuditSettings): DataStoreSettings {
  const { dataStoreEndpoint = '', dataStoreTTL = 0 } = settings
  return { dataStoreEndpoint, dataStoreTTL }
}
