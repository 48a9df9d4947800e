import type { DiskWrite } from './database.ts'
import * as records from './records.ts'

/** Writes of a record, at most: the writers of one record work while another one is on its way to disk. */
const maxWrites = 128
/** Bytes of a record, at most, where it has more than one write: a read of one old value reads the record it stands in. */
const maxBytes = 256 * 1024
/** Buffers that are kept for the next records: one is on its way to disk, one is being filled. */
const maxKept = 2

/** A log record that writes are added to. Its bytes are only good until `release`. */
export class OpenRecord {
  readonly first: number
  readonly #buffers: RecordBuffers
  readonly #bytes: Buffer
  #count = 0
  #end = records.logHeader

  /** `first`: the revision of its first write, `size` bytes long. */
  constructor(buffers: RecordBuffers, first: number, size: number) {
    this.first = first
    this.#buffers = buffers
    this.#bytes = buffers.take(records.logHeader + size)
  }

  /** Whether a write of `size` bytes may be added. */
  hasRoom(size: number): boolean {
    return this.#count < maxWrites && this.#end + size <= this.#bytes.length
  }

  /** The next revision's write. */
  add(write: records.LogWrite): void {
    this.#end = records.putLogWrite(this.#bytes, this.#end, write)
    this.#count++
  }

  /** Completes it. `time`: milliseconds since the epoch. */
  sealed(time: number): DiskWrite & { type: 'put' } {
    const value = this.#bytes.subarray(0, this.#end)
    records.sealLog(value, time, this.#count)
    return { type: 'put', key: records.logKey(this.first), value }
  }

  /** Nobody reads its bytes any more. */
  release(): void {
    this.#buffers.give(this.#bytes)
  }
}

/** Buffers that records are made in. A fresh one costs more than to fill it: the system clears its pages first. */
export class RecordBuffers {
  readonly #kept: Buffer[] = []

  take(atLeast: number): Buffer {
    if (atLeast > maxBytes) return Buffer.allocUnsafeSlow(atLeast)
    return this.#kept.pop() ?? Buffer.allocUnsafeSlow(maxBytes)
  }

  give(bytes: Buffer): void {
    if (bytes.length === maxBytes && this.#kept.length < maxKept) this.#kept.push(bytes)
  }
}
