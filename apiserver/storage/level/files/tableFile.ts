import { ByteReader } from './byteReader.ts'
import type { Crc32c } from './crc32c.ts'
import { readSequence, type Entry } from './writeBatch.ts'

const footerBytes = 48
const trailerBytes = 5
/** The last eight bytes of a table, as two numbers. */
const magic = [0x8b80fb57, 0xdb477524] as const
const uncompressed = 0
const keySuffixBytes = 8

interface Handle {
  offset: number
  size: number
}

export interface TableContents {
  /** Entries of the intact blocks, in file order. */
  entries: Entry[]
  /** Offset of the first damaged block; undefined: the table is intact. */
  faultAt: number | undefined
}

/** Offset of the first damage in a table; undefined: every block has its checksum and every byte is accounted for. */
export function tableFault(bytes: Buffer, crc32c: Crc32c): number | undefined {
  const blocks = dataBlocks(bytes, crc32c)
  return blocks.faultAt ?? firstFault(bytes, blocks.handles, crc32c)
}

/** All readable entries of a table. */
export function readTable(bytes: Buffer, crc32c: Crc32c): TableContents {
  const { handles, faultAt } = dataBlocks(bytes, crc32c)
  const found: TableContents = { entries: [], faultAt }
  for (const handle of handles) {
    const block = readBlock(bytes, handle, crc32c)
    if (block === undefined) found.faultAt ??= handle.offset
    else for (const entry of blockEntries(block)) found.entries.push(tableEntry(entry))
  }
  return found
}

/** The data blocks named by the index. The blocks that lead to them are verified, including the filter's. */
function dataBlocks(
  bytes: Buffer,
  crc32c: Crc32c,
): { handles: Handle[]; faultAt: number | undefined } {
  const footer = readFooter(bytes)
  if (footer === undefined) return { handles: [], faultAt: Math.max(0, bytes.length - footerBytes) }
  const index = readHandles(bytes, footer.index, crc32c)
  if (index === undefined) return { handles: [], faultAt: footer.index.offset }
  const meta = readHandles(bytes, footer.meta, crc32c)
  if (meta === undefined) return { handles: index, faultAt: footer.meta.offset }
  return { handles: index, faultAt: firstFault(bytes, meta, crc32c) }
}

function firstFault(bytes: Buffer, handles: Handle[], crc32c: Crc32c): number | undefined {
  return handles.find((handle) => readBlock(bytes, handle, crc32c) === undefined)?.offset
}

function readFooter(bytes: Buffer): { meta: Handle; index: Handle } | undefined {
  const at = bytes.length - footerBytes
  if (at < 0) return undefined
  const [low, high] = magic
  const end = bytes.length - 8
  if (bytes.readUInt32LE(end) !== low || bytes.readUInt32LE(end + 4) !== high) return undefined
  const reader = new ByteReader(bytes, at)
  return attempt(() => ({ meta: readHandle(reader), index: readHandle(reader) }))
}

function readHandles(bytes: Buffer, handle: Handle, crc32c: Crc32c): Handle[] | undefined {
  const block = readBlock(bytes, handle, crc32c)
  if (block === undefined) return undefined
  return attempt(() => blockEntries(block).map(({ value }) => readHandle(new ByteReader(value))))
}

function readHandle(reader: ByteReader): Handle {
  return { offset: reader.varint(), size: reader.varint() }
}

/** Reads a block. Undefined: the checksum is wrong, or the block lies outside the file. */
function readBlock(bytes: Buffer, { offset, size }: Handle, crc32c: Crc32c): Buffer | undefined {
  const end = offset + size
  if (end + trailerBytes > bytes.length || bytes[end] !== uncompressed) return undefined
  const range = { start: offset, end: end + 1 }
  return crc32c.fits(bytes.readUInt32LE(end + 1), bytes, range)
    ? bytes.subarray(offset, end)
    : undefined
}

/**
 * Entries of a block. Keys share prefixes with their predecessors. Offsets of keys without a shared prefix are listed
 * at the end.
 */
function blockEntries(block: Buffer): { key: Buffer; value: Buffer }[] {
  const restarts = block.readUInt32LE(block.length - 4)
  const reader = new ByteReader(block.subarray(0, block.length - 4 - restarts * 4))
  const entries: { key: Buffer; value: Buffer }[] = []
  let key = Buffer.alloc(0)
  while (!reader.isAtEnd) {
    const shared = reader.varint()
    const [rest, length] = [reader.varint(), reader.varint()]
    key = Buffer.concat([key.subarray(0, shared), reader.take(rest)])
    entries.push({ key, value: reader.take(length) })
  }
  return entries
}

function tableEntry({ key, value }: { key: Buffer; value: Buffer }): Entry {
  const end = key.length - keySuffixBytes
  const sequence = readSequence(key, end + 1)
  return { key: key.toString('utf8', 0, end), value: key[end] === 1 ? value : undefined, sequence }
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
