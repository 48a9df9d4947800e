import type { Clock, Timer } from '../../meta/clock.ts'
import { CallError, isCompacted } from './callErrors.ts'
import type { EtcdClient } from './etcdClient.ts'
import type { EtcdImage } from './etcdImage.ts'

export interface CompactionOptions {
  client: EtcdClient
  image: EtcdImage
  clock: Clock
  /** Interval of compaction; 0: never. */
  intervalMs: number
  /** Minimum age of compacted history. */
  retainMs: number
  /** Approximate maximum number of retained revisions; 0: unlimited. */
  retainRevisions: number
  onFailed: (error: unknown) => void
}

/** Compacts etcd's old history in the background. Several servers may do so: compacting twice has no effect. */
export class Compaction {
  readonly #options: CompactionOptions
  /** Newest revision by time, oldest first. */
  #marks: { time: number; revision: number }[] = []
  #timer: Timer | undefined
  #running: Promise<void> | undefined

  constructor(options: CompactionOptions) {
    this.#options = options
  }

  start(): void {
    const { clock, intervalMs } = this.#options
    if (intervalMs === 0) return
    this.#mark()
    this.#timer = clock.setTimer(() => {
      this.#running = this.#compactOld()
      this.start()
    }, intervalMs)
  }

  async stop(): Promise<void> {
    this.#timer?.cancel()
    await this.#running
  }

  /** Compacts up to a revision; one that is already compacted is not an error. @throws CallError. */
  async compact(revision: number): Promise<void> {
    const { client, image } = this.#options
    if (revision <= image.compacted) return
    try {
      await client.compact(revision)
    } catch (error) {
      if (!(error instanceof CallError) || !isCompacted(error)) throw error
    }
    image.noteCompacted(revision)
  }

  #mark(): void {
    const { clock, image } = this.#options
    this.#marks.push({ time: clock.now(), revision: image.revision })
  }

  /** Compacts old history. Never rejects. */
  async #compactOld(): Promise<void> {
    const { clock, image, retainMs, retainRevisions, onFailed } = this.#options
    const isOld = ({ time }: { time: number }) => time <= clock.now() - retainMs
    const byAge = this.#marks.findLast(isOld)?.revision ?? 0
    const byCount = retainRevisions === 0 ? 0 : image.revision - retainRevisions
    this.#marks = this.#marks.filter((mark) => !isOld(mark) || mark.revision >= byAge)
    try {
      await this.compact(Math.max(byAge, byCount))
    } catch (error) {
      onFailed(error)
    }
  }
}
