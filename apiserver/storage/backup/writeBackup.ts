import { createHash, type Hash } from 'node:crypto'
import { promisify } from 'node:util'
import { deflateRaw } from 'node:zlib'
import { asStored, type Sealing } from '../encryption/sealing.ts'
import type { StoredValue } from '../storage.ts'
import * as format from './backupFormat.ts'

const pack = promisify(deflateRaw)
/** Bytes of objects per block: enough to compress well, but little memory. */
const blockBytes = 512 * 1024
/** Compression level: the fastest, three times as fast as the default, for files a tenth larger. */
const level = 1

export interface BackupContents extends Omit<format.BackupHeader, 'format'> {
  /** Objects in key order, all of one revision, kept in memory until they are written. */
  objects: readonly StoredValue[]
  files: readonly format.BackedUpFile[]
  /** Encryption of the values. Default: none. */
  sealing?: Sealing
}

/**
 * Creates a backup, in pieces of about half a megabyte before compression. The next piece is compressed on another
 * thread while the consumer handles the previous one.
 */
export async function* writeBackup(contents: BackupContents): AsyncGenerator<Buffer> {
  const hash = createHash('sha256').update(format.backupMark)
  yield format.backupMark
  const blocks = contentBlocks(contents)
  let coming = nextBlock(blocks)
  for (;;) {
    const block = await coming
    if (block === undefined) break
    coming = nextBlock(blocks)
    coming.catch(() => undefined) // awaited in the next round, unless the consumer stops here
    hash.update(block)
    yield block
  }
  yield await endBlock(contents, hash)
}

interface Content {
  type: number
  content: Buffer
}

async function nextBlock(blocks: Iterator<Content>): Promise<Buffer | undefined> {
  const next = blocks.next()
  return next.done === true ? undefined : sealed(next.value)
}

function* contentBlocks({
  objects,
  files,
  sealing = asStored,
  ...header
}: BackupContents): Generator<Content> {
  const { header: type, objects: ofObjects, file: ofFile } = format.blockTypes
  const first: format.BackupHeader = { format: format.backupFormat, ...header }
  yield { type, content: json(first) }
  for (let from = 0; from < objects.length;) {
    const until = blockEnd(objects, from)
    yield {
      type: ofObjects,
      content: Buffer.concat(objects.slice(from, until).flatMap((one) => encoded(one, sealing))),
    }
    from = until
  }
  for (const { path, content } of files) {
    const name = Buffer.from(path)
    const head = Buffer.alloc(4)
    head.writeUInt32BE(name.length)
    yield { type: ofFile, content: Buffer.concat([head, name, content]) }
  }
}

function blockEnd(objects: readonly StoredValue[], from: number): number {
  let at = from
  for (let bytes = 0; at < objects.length && bytes < blockBytes; at++)
    bytes += objects[at]?.value.length ?? 0
  return at
}

function encoded({ key, revision, value: plain }: StoredValue, sealing: Sealing): Buffer[] {
  const value = sealing.seal(key, plain)
  const head = Buffer.allocUnsafe(format.objectHead)
  const name = Buffer.from(key)
  head.writeUInt32BE(name.length)
  head.writeUInt32BE(value.length, 4)
  head.writeUIntBE(revision, 8, 6)
  return [head, name, value]
}

function endBlock({ objects, files }: BackupContents, hash: Hash): Promise<Buffer> {
  const end = { objects: objects.length, files: files.length, sha256: hash.digest('hex') }
  return sealed({ type: format.blockTypes.end, content: json(end) })
}

function json(value: format.BackupHeader | format.BackupEnd): Buffer {
  return Buffer.from(JSON.stringify(value))
}

async function sealed({ type, content }: Content): Promise<Buffer> {
  const packed = await pack(content, { level })
  const head = Buffer.alloc(format.blockHead)
  head.writeUInt8(type, 4)
  head.writeUInt32BE(packed.length, 5)
  head.writeUInt32BE(content.length, 9)
  head.writeUInt32BE(format.blockChecksum(head, packed), 0)
  return Buffer.concat([head, packed])
}
