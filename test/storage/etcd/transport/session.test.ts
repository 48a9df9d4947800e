import { expect } from 'chai'
import { PassThrough, Duplex } from 'node:stream'
import type { CallError } from '../../../../apiserver/storage/etcd/callErrors.ts'
import {
  frameFlag,
  frameHead,
  frameType,
  type Frame,
} from '../../../../apiserver/storage/etcd/transport/frames.ts'
import { withLength } from '../../../../apiserver/storage/etcd/transport/messageReader.ts'
import { Session } from '../../../../apiserver/storage/etcd/transport/session.ts'
import { FakeClock } from '../../../support/fakes/fakeClock.ts'

const turn = () => new Promise(setImmediate)
const { data, headers, continuation, settings, ping, pushPromise, goAway, windowUpdate } = frameType
const { endStream, endHeaders, padded, priority } = frameFlag
const grpcOk = Buffer.from('\x00\x0bgrpc-status\x010')

/** Session with one call in progress, and the bytes that a peer sends. */
async function opened() {
  const incoming = new PassThrough()
  const clock = new FakeClock(0)
  const closed: string[] = []
  const socket = Duplex.from({ readable: incoming, writable: new PassThrough().resume() })
  const session = new Session({
    ...{ socket, clock, onReady: () => undefined },
    onClosed: ({ message }) => closed.push(message),
  })
  const send = async (bytes: Buffer): Promise<void> => {
    incoming.write(bytes)
    await turn()
    await turn()
  }
  const frame = (type: number, flags: number, payload: Buffer, stream = 1): Buffer =>
    bytesOf({ type, flags, stream, payload })
  return { session, clock, closed, send, frame }
}

function bytesOf({ payload, ...head }: Frame): Buffer {
  return Buffer.concat([frameHead(payload.length, head), payload])
}

async function withCall() {
  const parts = await opened()
  await parts.send(parts.frame(settings, 0, Buffer.alloc(0), 0))
  const messages: string[] = []
  const ends: (CallError | undefined)[] = []
  const events = {
    onMessage: (bytes: Buffer) => void messages.push(bytes.toString()),
    onEnd: (error: CallError | undefined) => void ends.push(error),
  }
  parts.session.open(Buffer.from('headers'), events)
  return { ...parts, messages, ends }
}

describe('Session', () => {
  it('reads frames and messages that arrive byte by byte, with padding, priority and continuations', async () => {
    const { session, send, frame, messages, ends, closed } = await withCall()
    const [one, two] = [withLength(Buffer.from('one')), withLength(Buffer.from('two'))]
    const bytes = Buffer.concat([
      frame(headers, endHeaders | padded | priority, Buffer.from([2, 0, 0, 0, 0, 1, 0x88, 0, 0])),
      frame(99, 255, Buffer.from('unknown')),
      frame(data, padded, Buffer.concat([Buffer.of(3), one, two.subarray(0, 2), Buffer.alloc(3)])),
      frame(data, 0, two.subarray(2, 6)),
      frame(data, 0, two.subarray(6)),
      frame(headers, endStream, grpcOk.subarray(0, 4)),
      frame(continuation, 0, grpcOk.subarray(4, 5)),
      frame(continuation, endHeaders, grpcOk.subarray(5)),
    ])
    for (const byte of bytes) await send(Buffer.of(byte))
    expect({ messages, ends, closed }).to.deep.equal({
      messages: ['one', 'two'],
      ends: [undefined],
      closed: [],
    })
    session.close(new Error('done'))
  })

  const zero = Buffer.alloc(0)
  for (const { name, frames, want } of [
    { name: 'a frame that is too large', frames: [[data, 0, Buffer.alloc(16_385)]], want: /16385/ },
    {
      name: 'padding longer than its frame',
      frames: [[data, padded, Buffer.of(9)]],
      want: /padding/,
    },
    {
      name: 'a compressed message',
      frames: [[data, 0, Buffer.of(1, 0, 0, 0, 0)]],
      want: /compressed/,
    },
    { name: 'a pushed response', frames: [[pushPromise, 0, zero]], want: /pushes/ },
    {
      name: 'a window above its limit',
      frames: [[windowUpdate, 0, Buffer.from('7fffffff', 'hex')]],
      want: /window/,
    },
    { name: 'a short window update', frames: [[windowUpdate, 0, zero]], want: /range|bounds/ },
    {
      name: 'damaged trailers',
      frames: [[headers, endStream | endHeaders, Buffer.of(0)]],
      want: /header/,
    },
    {
      name: 'a continuation without headers',
      frames: [[continuation, 0, zero]],
      want: /continues/,
    },
    {
      name: 'another frame within headers',
      frames: [
        [headers, 0, zero],
        [ping, 0, Buffer.alloc(8)],
      ],
      want: /incomplete/,
    },
  ] as const) {
    it(`ends the connection and its calls after ${name}`, async () => {
      const { session, send, frame, ends, closed } = await withCall()
      for (const [type, flags, payload] of frames) await send(frame(type, flags, payload))
      expect(closed).to.have.lengthOf(1)
      expect(closed[0]).to.match(want)
      expect(ends.map((error) => error?.code)).to.deep.equal([14])
      expect(session.isOpen).to.equal(false)
    })
  }

  it('refuses a peer that is not HTTP/2', async () => {
    const { closed, send, clock } = await opened()
    await send(Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'))
    expect(closed).to.have.lengthOf(1)
    expect(clock.timers).to.equal(0)
  })

  it('reports calls above the last one that a closing peer serves as not processed', async () => {
    const { session, send, frame, ends, closed } = await withCall()
    const payload = Buffer.concat([Buffer.alloc(8), Buffer.from('too_many_pings')])
    await send(frame(goAway, 0, payload, 0))
    expect(ends.map((error) => error?.isUnsent)).to.deep.equal([true])
    expect(ends[0]?.message).to.match(/too_many_pings/)
    expect(closed).to.deep.equal(['the connection is drained'])
    expect(session.isOpen).to.equal(false)
  })
})
