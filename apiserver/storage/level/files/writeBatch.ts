import { ByteReader } from './byteReader.ts'

/** One change of a key, as a log and a table hold it. */
export interface Entry {
  key: string
  /** Undefined: the key was deleted. */
  value: Buffer | undefined
  /** Of several entries of a key, the one with the highest sequence holds. */
  sequence: number
}

const headerBytes = 12
const put = 1

/** The changes that a record of LevelDB's log holds: sequence u64 · count u32 · count × (type · key · value).
 *  @throws RangeError when it is something else. */
export function readWriteBatch(record: Buffer): Entry[] {
  const sequence = readSequence(record, 0)
  const reader = new ByteReader(record, headerBytes)
  return Array.from({ length: record.readUInt32LE(8) }, (_, index) => {
    const isPut = reader.byte() === put
    const key = reader.slice().toString('utf8')
    return { key, value: isPut ? reader.slice() : undefined, sequence: sequence + index }
  })
}

/** A sequence has 56 bits at most; those that are in use fit a double. */
export function readSequence(bytes: Buffer, at: number): number {
  return bytes.readUInt32LE(at) + bytes.readUIntLE(at + 4, 3) * 2 ** 32
}
