import type { Status } from '../meta/status.ts'
import type { Entry } from './cacheEntry.ts'
import type { CacheEvent } from './eventRing.ts'
import type { EventType } from './objectFrame.ts'

/**
 * The representation of events for a watcher: plain objects, table rows, metadata only. Frames that are equal for all
 * watchers are kept with the event and shared.
 */
export interface FrameEncoder {
  /** Equal for encoders with the same output: their watchers share frames. */
  key: string
  /** True if the first event of a stream differs from later ones (a Table's column definitions). */
  firstDiffers: boolean
  event(type: EventType, event: CacheEvent, isFirst: boolean): Buffer
  /** An object that existed when the watch began. */
  initial(entry: Entry, isFirst: boolean): Buffer
  bookmark(revision: number, endsInitialEvents: boolean, isFirst: boolean): Buffer
  error(status: Status): Buffer
}
