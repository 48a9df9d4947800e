import type { Duplex } from 'node:stream'
import { guarded } from '../meta/waiting/guarded.ts'
import { sliceBytes, slicesOf } from '../meta/waiting/writeSlices.ts'
import { writeTurns } from '../meta/waiting/writeTurns.ts'

type WriteMany = NonNullable<Duplex['_writev']>
type Chunks = Parameters<WriteMany>[0]
type Done = Parameters<WriteMany>[1]

/**
 * Makes a socket split large writes into slices, each written in a turn after the previous one was
 * accepted, for a library that writes whole messages. Later writes wait in the socket as usual, so
 * nothing comes between the slices of a message.
 */
export function sliceWrites(socket: Duplex): void {
  const write = socket._write.bind(socket)
  const writeMany = socket._writev?.bind(socket)
  if (writeMany === undefined) return
  socket._write = (chunk: Buffer | string, encoding, done) => {
    if (chunk.length <= sliceBytes) write(chunk, encoding, done)
    else writeGroups(groupsOf([{ chunk, encoding }]), writeMany, done)
  }
  socket._writev = (chunks, done) => writeGroups(groupsOf(chunks), writeMany, done)
}

function writeGroups(groups: Iterator<Chunks>, writeMany: WriteMany, done: Done): void {
  const next = groups.next()
  if (next.done === true) return done()
  // Sound: a guard reports only errors.
  const failed = (error: unknown) => done(error as Error)
  const goOn = guarded('sliceWrites.goOn', failed, () => writeGroups(groups, writeMany, done))
  writeMany(next.value, (error) => {
    if (error) done(error)
    else writeTurns.run(goOn)
  })
}

/** The chunks in groups of at most `sliceBytes`, for one write each. */
function* groupsOf(chunks: Chunks): Generator<Chunks> {
  let group: Chunks = []
  let bytes = 0
  for (const slice of slicesOf(buffersOf(chunks))) {
    if (bytes + slice.length > sliceBytes) {
      yield group
      group = []
      bytes = 0
    }
    // The encoding of a buffer is ignored.
    group.push({ chunk: slice, encoding: 'utf8' })
    bytes += slice.length
  }
  if (bytes > 0) yield group
}

function* buffersOf(chunks: Chunks): Generator<Buffer> {
  for (const { chunk, encoding } of chunks as {
    chunk: Buffer | string
    encoding: BufferEncoding
  }[])
    yield typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk
}
