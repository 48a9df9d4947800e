import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'
import { isObject } from '../../meta/json/isObject.ts'
import { StartError } from '../../runtime/startError.ts'
import type { StoredValue } from '../storage.ts'
import { ByteSource } from './byteSource.ts'
import * as format from './backupFormat.ts'

const unpack = promisify(inflateRaw)

/** Part of a backup, in order: one header, objects and files, one end; nothing follows it. */
export type BackupPart =
  | { header: format.BackupHeader }
  | { objects: StoredValue[] }
  | { file: format.BackedUpFile }
  | { end: format.BackupEnd }

/**
 * Reads and verifies a backup. Its content is only valid once the end was reached. `name`: name of the source for error
 * messages.
 * @throws StartError with the first defect; the source's error.
 */
export async function* readBackup(
  source: AsyncIterable<Buffer>,
  name: string,
): AsyncGenerator<BackupPart> {
  const bytes = new ByteSource(source)
  const hash = createHash('sha256')
  const mark = await bytes.take(format.backupMark.length)
  if (mark === undefined || !mark.equals(format.backupMark))
    throw new StartError(`${name} is not a backup, or its first bytes are damaged`)
  hash.update(mark)
  const counted: Counted = { objects: 0, files: 0 }
  for (let isFirst = true; ; isFirst = false) {
    const block = await readBlock(bytes, name)
    if (isFirst !== (block.type === format.blockTypes.header))
      throw format.damaged(name, `the block at byte ${block.at} is out of order`)
    const part = decoded(block, name)
    if ('end' in part) {
      checkEnd(part.end, { ...counted, sha256: hash.digest('hex') }, name)
      if ((await bytes.take(1)) !== undefined)
        throw format.damaged(name, `there are bytes after its end at byte ${bytes.at - 1}`)
      yield part
      return
    }
    count(part, counted)
    hash.update(block.head).update(block.packed)
    yield part
  }
}

interface Block {
  /** Position in the file. */
  at: number
  type: number
  head: Buffer
  packed: Buffer
  content: Buffer
}

interface Counted {
  objects: number
  files: number
}

function count(part: BackupPart, counted: Counted): void {
  if ('objects' in part) counted.objects += part.objects.length
  if ('file' in part) counted.files++
}

async function readBlock(bytes: ByteSource, name: string): Promise<Block> {
  const { at } = bytes
  const head = await bytes.take(format.blockHead)
  if (head === undefined) throw cut(name, bytes)
  const length = head.readUInt32BE(9)
  const packedLength = head.readUInt32BE(5)
  const fault = `the block at byte ${at} fails its checksum`
  if (Math.max(length, packedLength) > format.maxBlockBytes) throw format.damaged(name, fault)
  const packed = await bytes.take(packedLength)
  if (packed === undefined) throw cut(name, bytes)
  if (head.readUInt32BE(0) !== format.blockChecksum(head, packed)) throw format.damaged(name, fault)
  const content = await unpack(packed, { maxOutputLength: Math.max(length, 1) }).catch(
    (error: unknown) => {
      throw format.damaged(name, `the block at byte ${at} cannot be unpacked`, error)
    },
  )
  return { at, type: head.readUInt8(4), head, packed, content }
}

function cut(name: string, { at }: ByteSource): StartError {
  return format.damaged(name, `it is cut off at byte ${at}, before its end`)
}

function decoded({ at, type, content }: Block, name: string): BackupPart {
  try {
    switch (type) {
      case format.blockTypes.header:
        return { header: headerOf(content, name) }
      case format.blockTypes.objects:
        return { objects: objectsOf(content) }
      case format.blockTypes.file:
        return { file: fileOf(content) }
      case format.blockTypes.end:
        // Sound: the checksum proves that `writeBackup` wrote it.
        return { end: JSON.parse(content.toString()) as format.BackupEnd }
    }
  } catch (error) {
    if (error instanceof StartError) throw error
    throw format.damaged(name, `the block at byte ${at} cannot be read`, error)
  }
  throw format.damaged(name, `the block at byte ${at} is of the unknown type ${type}`)
}

/** Header of a backup. Validated before anything else, since all later blocks depend on the format. */
function headerOf(content: Buffer, name: string): format.BackupHeader {
  const found: unknown = JSON.parse(content.toString())
  const version = isObject(found) ? found['format'] : undefined
  if (typeof version !== 'number') throw format.damaged(name, 'its header names no format')
  if (version > format.backupFormat) {
    const known = `this version reads formats up to ${format.backupFormat}`
    throw new StartError(`${name} was written by a newer version in format ${version}; ${known}`)
  }
  // Sound: a header of this format with a verified checksum.
  return found as format.BackupHeader
}

function objectsOf(content: Buffer): StoredValue[] {
  const objects: StoredValue[] = []
  for (let at = 0; at < content.length;) {
    const keyEnd = at + format.objectHead + content.readUInt32BE(at)
    const end = keyEnd + content.readUInt32BE(at + 4)
    if (end > content.length) throw new RangeError('an object ends after its block')
    const key = content.toString('utf8', at + format.objectHead, keyEnd)
    const revision = content.readUIntBE(at + 8, 6)
    objects.push({ key, revision, value: content.subarray(keyEnd, end) })
    at = end
  }
  return objects
}

function fileOf(content: Buffer): format.BackedUpFile {
  const pathEnd = 4 + content.readUInt32BE(0)
  return { path: content.toString('utf8', 4, pathEnd), content: content.subarray(pathEnd) }
}

function checkEnd(said: format.BackupEnd, found: format.BackupEnd, name: string): void {
  if (said.objects !== found.objects)
    throw format.damaged(name, `it has ${found.objects} objects of ${said.objects}`)
  if (said.files !== found.files)
    throw format.damaged(name, `it has ${found.files} files of ${said.files}`)
  if (said.sha256 !== found.sha256)
    throw format.damaged(name, 'its blocks are not the ones that were written, or in another order')
}
