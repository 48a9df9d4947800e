import { Histogram } from '../meta/collections/histogram.ts'

const bytes = [1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072]

export function frameSizes(): Histogram {
  return new Histogram(bytes)
}

/** Statistics of the watchers of one resource, as plain numbers. */
export class WatchCounts {
  /** Bytes of sent frames, counted per watcher. */
  readonly sent = frameSizes()
  /** Number of watchers ended because they were too slow. */
  terminated = 0
}
