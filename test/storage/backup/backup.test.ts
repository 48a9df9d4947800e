import { createHash } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import { expect } from 'chai'
import { blockChecksum, blockTypes } from '../../../apiserver/storage/backup/backupFormat.ts'
import { readBackup, type BackupPart } from '../../../apiserver/storage/backup/readBackup.ts'
import { restoredRevision } from '../../../apiserver/storage/backup/restoredRevision.ts'
import { writeBackup, type BackupContents } from '../../../apiserver/storage/backup/writeBackup.ts'

const header = { serverVersion: '1.0.0', revision: 40, createdMs: 5, identity: { name: 'x' } }

/** Size that needs several blocks. */
const objects = Array.from({ length: 30 }, (_, at) => ({
  key: `/objects/ä-${String(at).padStart(2, '0')}`,
  revision: at + 11,
  value: Buffer.alloc(100_000, `${at} `),
}))
const files = [
  { path: 'pki/ca.key', content: Buffer.from([0, 255, 10, 13]) },
  { path: 'admin-access-key', content: Buffer.of() },
]
const contents: BackupContents = { ...header, objects, files }

async function bytesOf(backup: BackupContents): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of writeBackup(backup)) pieces.push(piece)
  return Buffer.concat(pieces)
}

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function read(bytes: Buffer, size = 65_536): Promise<BackupPart[]> {
  const parts: BackupPart[] = []
  for await (const part of readBackup(inPieces(bytes, size), 'F')) parts.push(part)
  return parts
}

/** Message of the first fault; undefined: none. */
async function fault(bytes: Buffer): Promise<string | undefined> {
  return read(bytes).then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
}

interface Block {
  at: number
  end: number
}

function blocksOf(bytes: Buffer): Block[] {
  const blocks: Block[] = []
  for (let at = 16; at < bytes.length;) {
    const end = at + 13 + bytes.readUInt32BE(at + 5)
    blocks.push({ at, end })
    at = end
  }
  return blocks
}

function block(type: number, content: string): Buffer {
  const packed = deflateRawSync(content)
  const head = Buffer.alloc(13)
  head.writeUInt8(type, 4)
  head.writeUInt32BE(packed.length, 5)
  head.writeUInt32BE(content.length, 9)
  head.writeUInt32BE(blockChecksum(head, packed), 0)
  return Buffer.concat([head, packed])
}

describe('a backup', () => {
  let whole: Buffer
  let blocks: Block[]
  before(async () => {
    whole = await bytesOf(contents)
    blocks = blocksOf(whole)
  })

  for (const size of [7, 4096, 10_000_000]) {
    it(`restores every object, revision and file, read in pieces of ${size} bytes`, async () => {
      const parts = await read(whole, size)
      expect(parts[0]).to.deep.equal({ header: { format: 1, ...header } })
      expect(parts.flatMap((part) => ('objects' in part ? part.objects : []))).to.deep.equal(
        objects,
      )
      expect(parts.flatMap((part) => ('file' in part ? [part.file] : []))).to.deep.equal(files)
    })
  }

  it('of an empty storage is complete', async () => {
    const parts = await read(await bytesOf({ ...header, objects: [], files: [] }))
    expect(parts.map((part) => Object.keys(part)[0])).to.deep.equal(['header', 'end'])
  })

  it('is smaller than its contents', () => {
    expect(whole.length).to.be.below(300_000)
  })

  it('names the damaged block for a flipped bit at any place', async () => {
    for (let at = 16; at < whole.length; at += 199) {
      const bytes = Buffer.from(whole)
      bytes.writeUInt8(bytes.readUInt8(at) ^ 4, at)
      const first = blocks.findLast((one) => one.at <= at)?.at ?? NaN
      const said = await fault(bytes)
      expect(said, String(at)).to.match(/^F is damaged: /)
      // A changed length is only detected at the resulting end of the file.
      if (at >= first + 13) expect(said).to.contain(`the block at byte ${first} fails its checksum`)
    }
  })

  it('names the end of a file that was cut at any place', async () => {
    for (let end = 16; end < whole.length; end += 997) {
      const want = `F is damaged: it is cut off at byte ${end}, before its end`
      expect(await fault(whole.subarray(0, end))).to.equal(want)
    }
  })

  it('cut between blocks is incomplete', async () => {
    for (const { at } of blocks)
      expect(await fault(whole.subarray(0, at))).to.contain(`cut off at byte ${at}`)
  })

  const without = (index: number) => {
    const { at, end } = blocks[index] ?? { at: 0, end: 0 }
    return Buffer.concat([whole.subarray(0, at), whole.subarray(end)])
  }
  const swapped = () => {
    const [a, b] = [blocks[1], blocks[2]]
    if (a === undefined || b === undefined) throw new Error('too few blocks')
    const [first, second] = [whole.subarray(a.at, a.end), whole.subarray(b.at, b.end)]
    return Buffer.concat([whole.subarray(0, a.at), second, first, whole.subarray(b.end)])
  }
  const cases: { name: string; bytes: () => Buffer; want: RegExp }[] = [
    { name: 'another file', bytes: () => Buffer.from('{"kind":"List"}'), want: /is not a backup/ },
    { name: 'an empty file', bytes: () => Buffer.of(), want: /is not a backup/ },
    { name: 'a missing header', bytes: () => without(0), want: /byte 16 is out of order$/ },
    {
      name: 'a missing block of objects',
      bytes: () => without(1),
      want: /it has \d+ objects of 30$/,
    },
    { name: 'a missing file', bytes: () => without(blocks.length - 2), want: /1 files of 2$/ },
    { name: 'blocks in another order', bytes: swapped, want: /in another order$/ },
    {
      name: 'bytes after the end',
      bytes: () => Buffer.concat([whole, Buffer.of(1)]),
      want: /there are bytes after its end at byte \d+$/,
    },
    {
      name: 'a newer format',
      bytes: () => Buffer.concat([whole.subarray(0, 16), block(blockTypes.header, '{"format":2}')]),
      want: /^F was written by a newer version in format 2; this version reads formats up to 1$/,
    },
    {
      name: 'a header without a format',
      bytes: () => Buffer.concat([whole.subarray(0, 16), block(blockTypes.header, '{}')]),
      want: /its header names no format$/,
    },
    {
      name: 'an unknown type of block',
      bytes: () => Buffer.concat([whole.subarray(0, blocks[0]?.end), block(9, '')]),
      want: /of the unknown type 9$/,
    },
    {
      name: 'an object that ends after its block',
      bytes: () =>
        Buffer.concat([
          whole.subarray(0, blocks[0]?.end),
          block(blockTypes.objects, '\0\0\0\x09'.repeat(4)),
        ]),
      want: /cannot be read$/,
    },
  ]
  for (const { name, bytes, want } of cases) {
    it(`is refused with ${name}`, async () => {
      expect(await fault(bytes())).to.match(want)
    })
  }

  it('ends with the SHA-256 of everything before its end', async () => {
    const last = blocks.at(-1)?.at
    const sha256 = createHash('sha256').update(whole.subarray(0, last)).digest('hex')
    expect((await read(whole)).at(-1)).to.deep.equal({ end: { objects: 30, files: 2, sha256 } })
  })
})

describe('restoredRevision', () => {
  const backup = { format: 1, ...header, createdMs: 1_000_000 }
  const cases = [
    { name: 'at once', now: 1_000_000, want: 1_000_000_040 },
    { name: 'a second later', now: 1_001_000, want: 1_000_100_040 },
    { name: 'on a clock that is behind', now: 0, want: 1_000_000_040 },
  ]
  for (const { name, now, want } of cases)
    it(`is far above the backup's, restored ${name}`, () => {
      expect(restoredRevision(backup, now)).to.equal(want)
    })
})
