import type { Random } from '../../../apiserver/meta/clock.ts'

/** Deterministic randomness: the same seed produces the same uids, bytes and fractions. */
export class FakeRandom implements Random {
  #state: number

  constructor(seed = 1) {
    this.#state = seed >>> 0
  }

  uuid(): string {
    const bytes = this.bytes(16)
    bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6)
    bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
    return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  }

  bytes(count: number): Buffer {
    return Buffer.from(Array.from({ length: count }, () => Math.floor(this.fraction() * 256)))
  }

  /** The generator mulberry32. */
  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
