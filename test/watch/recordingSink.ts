import type { ApiObject } from '../../apiserver/meta/types.ts'
import type { Status } from '../../apiserver/meta/status.ts'
import type { Sink } from '../../apiserver/watch/sink.ts'

export interface WatchEvent {
  type: string
  object: ApiObject
}

/** Reader that keeps everything sent to it, and stops accepting data when it is marked as full. */
export class RecordingSink implements Sink {
  readonly events: WatchEvent[] = []
  writes = 0
  isEnded = false
  isCutOff = false
  isFull = false
  #onDrain: (() => void) | undefined
  #onClose: (() => void) | undefined

  write(frames: Buffer): boolean {
    if (this.isEnded) throw new Error('a frame was written after the end')
    this.writes++
    for (const line of frames.toString().trimEnd().split('\n')) {
      // Frames are events in JSON, one per line.
      this.events.push(JSON.parse(line) as WatchEvent)
    }
    return !this.isFull
  }

  onDrain(callback: () => void): void {
    this.#onDrain = callback
  }

  onClose(callback: () => void): void {
    this.#onClose = callback
  }

  end(): void {
    if (this.isEnded) throw new Error('the stream was ended twice')
    this.isEnded = true
    this.#onClose?.()
  }

  cutOff(): void {
    this.isCutOff = true
    this.#onClose?.()
  }

  /** Makes the reader accept data again. */
  drain(): void {
    this.isFull = false
    this.#onDrain?.()
  }

  /** Disconnects the reader. */
  leave(): void {
    this.#onClose?.()
  }

  /**
   * Events as `TYPE name@revision`, bookmarks as `TYPE @revision`, errors as `ERROR code reason
   * message`.
   */
  get texts(): string[] {
    return this.events.map(textOf)
  }
}

function textOf({ type, object }: WatchEvent): string {
  if (type === 'ERROR') {
    // The object of an ERROR is a Status.
    const { code, reason, message } = object as unknown as Status
    return `ERROR ${code} ${reason} ${message}`
  }
  const { name = '', resourceVersion, annotations } = object.metadata
  const isEnd = annotations?.['k8s.io/initial-events-end'] === 'true'
  return `${type} ${name}@${resourceVersion}${isEnd ? ' end' : ''}`
}
