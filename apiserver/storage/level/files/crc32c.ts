const polynomial = 0x82f63b78
const tableCount = 8

/** CRC-32C, the checksum of LevelDB's own files, which the runtime lacks. Eight bytes per step. */
export class Crc32c {
  readonly #tables = makeTables()

  /** The checksum of `bytes` from `start` (inclusive) to `end` (exclusive). */
  of(bytes: Uint8Array, start: number, end: number): number {
    const [t0, t1, t2, t3, t4, t5, t6, t7] = this.#tables
    const whole = end - ((end - start) % tableCount)
    let crc = -1
    let at = start
    for (; at < whole; at += tableCount) {
      const low = crc ^ word(bytes, at)
      const high = word(bytes, at + 4)
      crc =
        entry(t7, low) ^
        entry(t6, low >>> 8) ^
        entry(t5, low >>> 16) ^
        entry(t4, low >>> 24) ^
        entry(t3, high) ^
        entry(t2, high >>> 8) ^
        entry(t1, high >>> 16) ^
        entry(t0, high >>> 24)
    }
    for (; at < end; at++) crc = entry(t0, crc ^ (bytes[at] ?? 0)) ^ (crc >>> 8)
    return ~crc >>> 0
  }

  /**
   * Reports whether `stored` is LevelDB's masked form of the checksum of these bytes: rotated and with a constant
   * added, so that checksums of data that contains checksums stay strong.
   */
  fits(stored: number, bytes: Uint8Array, { start, end }: { start: number; end: number }): boolean {
    const crc = this.of(bytes, start, end)
    return stored === (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0
  }
}

/** The table entry of the lowest byte of `index`; a table has 256 entries. */
function entry(table: T, index: number): number {
  return table[index & 255] ?? 0
}

/** Four bytes as a little-endian number. */
function word(bytes: Uint8Array, at: number): number {
  return (
    (bytes[at] ?? 0) |
    ((bytes[at + 1] ?? 0) << 8) |
    ((bytes[at + 2] ?? 0) << 16) |
    ((bytes[at + 3] ?? 0) << 24)
  )
}

type Tables = [T, T, T, T, T, T, T, T]
type T = Int32Array

function makeTables(): Tables {
  const first = Int32Array.from({ length: 256 }, (_, byte) => {
    let crc = byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ polynomial : crc >>> 1
    return crc
  })
  const tables = [first]
  while (tables.length < tableCount) {
    const last = tables.at(-1) ?? first
    tables.push(last.map((crc) => (crc >>> 8) ^ (first[crc & 255] ?? 0)))
  }
  return tables as Tables // as many as created above
}
