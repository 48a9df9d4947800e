import { once } from 'node:events'
import { dirname } from 'node:path'
import { Writable } from 'node:stream'
import { makeFolder } from '../runtime/files/makeFolder.ts'
import type { Clock, Timer } from '../meta/clock.ts'
import type { AuditSettings } from './auditSettings.ts'
import type { AuditSink, SinkOptions } from './auditSink.ts'
import { LineQueue } from './lineQueue.ts'
import { removeOldFiles, rotatedName } from './rotatedFiles.ts'

/** Maximum size of the queue, large enough for events that arrive while a file is compressed. */
const maxQueuedBytes = 32 * 1024 * 1024
/**
 * Maximum bytes per write, and so the number of bytes by which a file may exceed its size limit.
 */
const batchBytes = 64 * 1024
const retryMs = 5_000
const defaultMegabytes = 100

export type FileSettings = Pick<
  AuditSettings,
  'path' | 'maxAge' | 'maxBackups' | 'maxSize' | 'compress'
>

/**
 * The log file sink. It writes one batch at a time while other events wait in a bounded queue. A
 * failed write is retried, which may leave a partial line or repeat some lines; events that do not
 * fit into the queue are dropped and counted.
 */
export class FileSink implements AuditSink {
  readonly #settings: FileSettings
  readonly #options: SinkOptions
  readonly #queue = new LineQueue(maxQueuedBytes)
  #stream: Writable | undefined
  #running: Promise<void> | undefined
  #retry: Timer | undefined
  #isClosing = false
  #isTorn = false
  #pruning: Promise<void> = Promise.resolve()

  constructor(settings: FileSettings, options: SinkOptions) {
    this.#settings = settings
    this.#options = options
  }

  write(line: string): void {
    if (!this.#queue.push(line)) {
      this.#options.onError('log', new Error('audit log queue is full'), 1)
    } else if (this.#retry === undefined) this.#run()
  }

  prune(): Promise<void> {
    // Sequential, since concurrent runs would remove the same files.
    this.#pruning = this.#pruning.then(() => this.#prune())
    return this.#pruning
  }

  async close(): Promise<void> {
    this.#isClosing = true
    this.#retry?.cancel()
    this.#run()
    await this.#running
    await this.#pruning
    const left = this.#queue.length
    if (left > 0) {
      this.#options.onError(
        'log',
        new Error('the audit log was closed before all was written'),
        left,
      )
    }
    const stream = this.#stream
    if (stream === undefined || stream.destroyed) return
    stream.end()
    await once(stream, 'close').catch((error: unknown) => this.#options.onError('log', error, 0))
  }

  async #prune(): Promise<void> {
    const { path = '', maxAge = 0, maxBackups = 0 } = this.#settings
    if (path === '-') return
    const nowMs = this.#options.clock.now()
    await removeOldFiles(path, { nowMs, maxAgeDays: maxAge, maxBackups }).catch((error: unknown) =>
      this.#options.onError('log', error, 0),
    )
  }

  #run(): void {
    this.#running ??= this.#drain().finally(() => (this.#running = undefined))
  }

  /** Writes until the queue is empty or a write fails. */
  async #drain(): Promise<void> {
    await this.#options.after
    // Batches the lines of one turn.
    await new Promise(setImmediate)
    while (this.#queue.length > 0) {
      const lines = this.#queue.peek(Infinity, batchBytes)
      try {
        this.#stream ??= await this.#open()
        // A failed write may have left a partial line.
        const start = this.#isTorn ? '\n' : ''
        await written(this.#stream, `${start}${lines.join('\n')}\n`)
      } catch (error) {
        this.#failed(error)
        return
      }
      this.#isTorn = false
      this.#queue.drop(lines.length)
    }
  }

  #failed(error: unknown): void {
    this.#isTorn ||= this.#stream !== undefined
    this.#stream?.destroy()
    this.#stream = undefined
    this.#options.onError('log', error, 0)
    if (this.#isClosing) return
    this.#retry = this.#options.clock.setTimer(() => {
      this.#retry = undefined
      this.#run()
    }, retryMs)
  }

  async #open(): Promise<Writable> {
    const { path = '', maxSize, compress = false } = this.#settings
    if (path === '-') return standardOutput()
    await makeFolder(dirname(path), 0o777)
    const stream = await openFile(path, {
      bytes: Math.ceil((maxSize || defaultMegabytes) * 1024 * 1024),
      compress,
      clock: this.#options.clock,
      onRotated: () => void this.prune(),
    })
    void this.prune()
    return stream
  }
}

interface FileOptions {
  bytes: number
  compress: boolean
  clock: Clock
  onRotated: () => void
}

/** File mode: only the owner may read the audit log. */
const ownerOnly = 0o600

/** Opens a log file. The library is loaded on first use, to keep the start fast. */
async function openFile(
  path: string,
  { bytes, compress, clock, onRotated }: FileOptions,
): Promise<Writable> {
  const { createStream } = await import('rotating-file-stream')
  const nameOf = (time: number | Date | null, index = 1) =>
    time === null ? path : rotatedName(path, { epochMs: clock.now(), index, compress })
  const stream = createStream(nameOf, {
    size: `${bytes}B`,
    mode: ownerOnly,
    ...(compress ? { compress: 'gzip' } : {}),
  })
  // Each write reports its own failure; without a listener the process would exit.
  stream.on('error', () => undefined)
  stream.on('rotated', onRotated)
  await once(stream, 'open')
  return stream
}

/** A stream that does not end the process's own stream when it ends. */
function standardOutput(): Writable {
  return new Writable({
    write: (chunk: Buffer, encoding, done) => void process.stdout.write(chunk, encoding, done),
  })
}

function written(stream: Writable, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()))
  })
}
