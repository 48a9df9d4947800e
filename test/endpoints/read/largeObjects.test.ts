import { expect } from 'chai'
import { deadline } from '../../support/deadlines.ts'
import { LoopMeter } from '../support/loopMeter.ts'
import { useTestServer } from '../support/testServer.ts'

const namespace = '/api/v1/namespaces/default'
const protobuf = 'application/vnd.kubernetes.protobuf'
const asMetadata = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io'
const count = 40

/** Objects of 0.6 MB, each of which takes several ms to decode and to encode. */
describe('large objects', function () {
  this.timeout(60_000)
  const server = useTestServer()
  const data = Object.fromEntries(
    Array.from({ length: 6_000 }, (_, at) => [`key-${at}`, 'value'.repeat(12)]),
  )
  /** Longest blocked time while `work` runs. */
  const longestOf = async (work: () => Promise<unknown>): Promise<number> => {
    const meter = new LoopMeter()
    await work()
    const longest = meter.take()
    meter.stop()
    return longest
  }

  /** Reads a watch with its initial events until `isDone`. Returns the number of bytes. */
  const readWatch = async (accept: string, isDone: (text: string) => boolean): Promise<number> => {
    const query = 'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan'
    const path = `${namespace}/secrets?${query}&allowWatchBookmarks=true`
    const response = await server().admin.open(path, { headers: { accept } })
    let bytes = 0
    for await (const chunk of response) {
      bytes += (chunk as Buffer).length
      if (isDone((chunk as Buffer).toString('latin1'))) break
    }
    return bytes
  }

  before(async () => {
    for (let at = 0; at < count; at++) {
      const body = { metadata: { name: `large-${at}`, labels: { large: 'yes' } }, stringData: data }
      const { status, text } = await server().admin.post(`${namespace}/secrets`, body)
      expect(status, text.slice(0, 300)).to.equal(201)
    }
  })

  const isEnd = (text: string) => text.includes('k8s.io/initial-events-end')
  const reads: { name: string; read: () => Promise<number>; least: number; mostMs: number }[] = [
    {
      name: 'a list as protobuf',
      read: async () =>
        (await server().admin.get(`${namespace}/secrets`, { accept: protobuf })).text.length,
      least: count * 400_000,
      mostMs: 60,
    },
    {
      name: 'the initial events of a watch as metadata',
      read: () => readWatch(asMetadata, isEnd),
      least: count * 100,
      mostMs: 25,
    },
    {
      name: 'the initial events of a watch as protobuf',
      read: () => readWatch(`${protobuf};stream=watch`, isEnd),
      least: count * 400_000,
      mostMs: 20,
    },
  ]
  for (const { name, read, least, mostMs } of reads)
    it(`leave the event loop to others: ${name}`, async () => {
      let bytes = 0
      const longest = await longestOf(async () => (bytes = await read()))
      expect(bytes).to.be.above(least)
      expect(longest).to.be.below(deadline(mostMs))
    })

  it('leave the event loop to others when they are deleted together', async () => {
    const path = `${namespace}/secrets?labelSelector=large%3Dyes`
    let status = 0
    const longest = await longestOf(async () => {
      ;({ status } = await server().admin.delete(path))
    })
    expect(status).to.equal(200)
    const left = await server().admin.get(path)
    expect(left.field('items')).to.deep.equal([])
    expect(longest).to.be.below(deadline(100))
  })
})
