import { Histogram } from '../meta/histogram.ts'

const bytes = [1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072]

export function frameSizes(): Histogram {
  return new Histogram(bytes)
}

/** What the watchers of one resource were told, kept as plain numbers. */
export class WatchCounts {
  /** Bytes of the frames that went out, one for each watcher. */
  readonly sent = frameSizes()
  /** Watchers that were ended because they did not keep up. */
  terminated = 0
}
