import { ByteReader } from './byteReader.ts'

/** A change of a key, as stored in a log or a table. */
export interface Entry {
  key: string
  /** Undefined: the key was deleted. */
  value: Buffer | undefined
  /** The entry of a key with the highest sequence wins. */
  sequence: number
}

const headerBytes = 12
const put = 1

/**
 * The changes in a record of LevelDB's log: sequence u64 · count u32 · count × (type · key · value).
 * @throws RangeError if the record is malformed.
 */
export function readWriteBatch(record: Buffer): Entry[] {
  const sequence = readSequence(record, 0)
  const reader = new ByteReader(record, headerBytes)
  return Array.from({ length: record.readUInt32LE(8) }, (_, index) => {
    const isPut = reader.byte() === put
    const key = reader.slice().toString('utf8')
    return { key, value: isPut ? reader.slice() : undefined, sequence: sequence + index }
  })
}

/** A sequence has at most 56 bits; real sequences fit a double. */
export function readSequence(bytes: Buffer, at: number): number {
  return bytes.readUInt32LE(at) + bytes.readUIntLE(at + 4, 3) * 2 ** 32
}
