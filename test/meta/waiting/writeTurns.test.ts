import { expect } from 'chai'
import { Duplex, Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { sliceBytes, writeSlices } from '../../../apiserver/meta/waiting/writeSlices.ts'
import { WriteTurns } from '../../../apiserver/meta/waiting/writeTurns.ts'
import { sliceWrites } from '../../../apiserver/watch/sliceWrites.ts'
import { LoopMeter } from '../../endpoints/support/loopMeter.ts'

const writers = 100
const slices = 8
/** Duration of a write, as of one that is encrypted. */
const writeMs = 1
const large = Buffer.alloc(slices * sliceBytes)

function busy(): void {
  const began = performance.now()
  while (performance.now() - began < writeMs);
}

/** Connection with room for everything that reports it after the write, as TLS does. */
class FastOutput extends Writable {
  override _write(_chunk: Buffer, _encoding: string, done: () => void): void {
    busy()
    process.nextTick(done)
  }
}

class FastSocket extends Duplex {
  override _write(_chunk: Buffer, _encoding: string, done: () => void): void {
    busy()
    done()
  }

  override _writev(_chunks: unknown, done: () => void): void {
    busy()
    done()
  }

  override _read(): void {
    // Nothing arrives.
  }
}

describe('WriteTurns', () => {
  it('runs writes at once until their time in a turn is over, then in order', async () => {
    const turns = new WriteTurns()
    const written: number[] = []
    const write = (at: number) => () => {
      busy()
      written.push(at)
    }
    for (let at = 0; at < 50; at++) turns.run(write(at))
    const atOnce = written.length
    expect(atOnce).to.be.within(1, 12)
    await new Promise(setImmediate)
    expect(written.length - atOnce).to.be.within(1, 12)
    while (written.length < 50) await new Promise(setImmediate)
    expect(written).to.deep.equal(Array.from({ length: 50 }, (_, at) => at))
  })

  it('continues after an exception with the writes that wait', async () => {
    const turns = new WriteTurns()
    let written = 0
    const last = new Promise<void>((resolve) => {
      for (let at = 0; at < 30; at++) {
        turns.run(() => {
          busy()
          if (written++ === 20) throw new Error('on purpose')
          if (written === 30) resolve()
        })
      }
    })
    await last
  })

  for (const { name, send } of [
    {
      name: 'responses',
      send: () => {
        const output = new FastOutput()
        if (writeSlices(output, [large], () => output.end())) output.end()
        return finished(output)
      },
    },
    {
      name: 'websockets',
      send: () => {
        const socket = new FastSocket({ allowHalfOpen: false })
        sliceWrites(socket)
        return new Promise<void>((resolve) => socket.write(large, () => resolve()))
      },
    },
  ]) {
    it(`large buffers for many ${name} with room leave the event loop to others`, async () => {
      const meter = new LoopMeter()
      await Promise.all(
        Array.from({ length: writers }, async () => {
          await new Promise(setImmediate)
          await send()
        }),
      )
      const longest = meter.take()
      meter.stop()
      // All writes take 800 ms; the first of each connection is not counted by the turns.
      expect(longest).to.be.below(300)
    })
  }
})
