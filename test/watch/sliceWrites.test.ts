import { once } from 'node:events'
import { Duplex } from 'node:stream'
import { expect } from 'chai'
import { sliceBytes } from '../../apiserver/meta/waiting/writeSlices.ts'
import { sliceWrites } from '../../apiserver/watch/sliceWrites.ts'

type Written = Parameters<NonNullable<Duplex['_writev']>>[0]

/** Records the bytes of each write, and takes the next one a turn later. */
class RecordingSocket extends Duplex {
  readonly writes: Buffer[] = []

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.writes.push(chunk)
    setImmediate(done)
  }

  override _writev(chunks: Written, done: () => void): void {
    // Sound: streams that decode strings are given buffers.
    this.writes.push(Buffer.concat(chunks.map(({ chunk }) => chunk as Buffer)))
    setImmediate(done)
  }

  override _read(): void {
    // Nothing arrives.
  }
}

describe('sliceWrites', () => {
  const bytes = (count: number, letter: string) => Buffer.alloc(count, letter)

  async function writesOf(...chunks: Buffer[]): Promise<Buffer[]> {
    const socket = new RecordingSocket()
    sliceWrites(socket)
    for (const chunk of chunks) socket.write(chunk)
    socket.end()
    await once(socket, 'finish')
    return socket.writes
  }

  it('splits a large write', async () => {
    const writes = await writesOf(bytes(2 * sliceBytes + 1, 'a'))
    expect(writes.map(({ length }) => length)).to.deep.equal([sliceBytes, sliceBytes, 1])
  })

  it('joins small writes that waited, up to a slice, in order', async () => {
    const half = sliceBytes / 2
    const chunks = [...'abcdef'].map((letter) => bytes(half, letter))
    const writes = await writesOf(...chunks, bytes(sliceBytes + 1, 'g'))
    const lengths = writes.map(({ length }) => length)
    expect(lengths).to.deep.equal([half, sliceBytes, sliceBytes, half, sliceBytes, 1])
    expect(
      Buffer.concat(writes).equals(Buffer.concat([...chunks, bytes(sliceBytes + 1, 'g')])),
    ).to.equal(true)
  })

  it('leaves small writes alone', async () => {
    expect(await writesOf(bytes(10, 'a'))).to.deep.equal([bytes(10, 'a')])
  })

  it('reports an error of the socket', async () => {
    const socket = new RecordingSocket()
    const gone: Duplex['_writev'] = (_chunks, done) => done(new Error('gone'))
    Object.assign(socket, { _writev: gone })
    sliceWrites(socket)
    socket.write(bytes(2 * sliceBytes, 'a'))
    const [error] = (await once(socket, 'error').catch((thrown: unknown) => [thrown])) as [Error]
    expect(error.message).to.equal('gone')
  })
})
