import type { DiskWrite } from './database.ts'
import * as records from './records.ts'

/** Maximum writes per record: the writers of one record work while another record is written to disk. */
const maxWrites = 128
/** Maximum bytes of a record with more than one write: a read of one old value reads its whole record. */
const maxBytes = 256 * 1024
/** Buffers kept for reuse: one is being written to disk, one is being filled. */
const maxKept = 2

/** A log record that writes are added to. Its bytes are valid until `release`. */
export class OpenRecord {
  readonly first: number
  readonly #buffers: RecordBuffers
  readonly #bytes: Buffer
  #count = 0
  #end = records.logHeader

  /** `first`: the revision of its first write, which has `size` bytes. */
  constructor(buffers: RecordBuffers, first: number, size: number) {
    this.first = first
    this.#buffers = buffers
    this.#bytes = buffers.take(records.logHeader + size)
  }

  /** Reports whether a write of `size` bytes may be added. */
  hasRoom(size: number): boolean {
    return this.#count < maxWrites && this.#end + size <= this.#bytes.length
  }

  /** Adds the write of the next revision. */
  add(write: records.LogWrite): void {
    this.#end = records.putLogWrite(this.#bytes, this.#end, write)
    this.#count++
  }

  /** The completed record. `time`: milliseconds since the epoch. */
  sealed(time: number): DiskWrite & { type: 'put' } {
    const value = this.#bytes.subarray(0, this.#end)
    records.sealLog(value, time, this.#count)
    return { type: 'put', key: records.logKey(this.first), value }
  }

  /** Returns the buffer; the record's bytes are no longer read. */
  release(): void {
    this.#buffers.give(this.#bytes)
  }
}

/** A pool of record buffers. Allocating one costs more than filling it: the system clears its pages first. */
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
