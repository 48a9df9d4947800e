import { expect } from 'chai'
import { startServer } from '../../apiserver/server.ts'
import type { RunningServer } from '../../apiserver/runtime/options/serverOptions.ts'
import { Feed, type FeedOptions } from '../../console/watch/feed.ts'
import { FeedPool } from '../../console/watch/feedPool.ts'
import {
  objectShape,
  tableShape,
  type ListedObject,
  type Row,
  type Shape,
} from '../../console/watch/shapes.ts'
import { waitUntil } from '../support/waitUntil.ts'
import { hastySurroundings, TestLine } from './support.ts'

const path = '/api/v1/namespaces/default/secrets'
const secret = (name: string, data = 'x') => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, labels: { app: data } },
  stringData: { value: data },
})

function status(code: number, more: object = {}): Response {
  const body = { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, ...more }
  return new Response(JSON.stringify(body), { status: code })
}

function lines(...events: unknown[]): Response {
  return new Response(events.map((event) => `${JSON.stringify(event)}\n`).join(''))
}

describe('Feed', function () {
  this.timeout(20_000)
  let server: RunningServer
  let line: TestLine
  let delays: number[]
  const open: Feed<never>[] = []

  beforeEach(async () => {
    server = await startServer({
      storage: 'memory',
      dataDir: undefined,
      securePort: 0,
      insecurePort: 0,
      logLevel: 'silent',
      shutdownGraceSeconds: 0,
    })
    line = new TestLine(server)
    delays = []
  })
  afterEach(async () => {
    for (const feed of open.splice(0)) feed.stop()
    await server.stop()
  })

  function follow<Item>(shape: Shape<Item>, more: Partial<FeedOptions<Item>> = {}): Feed<Item> {
    const surroundings = hastySurroundings(delays)
    const feed = new Feed({ send: line.send, shape, path, surroundings, ...more })
    open.push(feed as unknown as Feed<never>)
    feed.start()
    return feed
  }
  const objects = (more: Partial<FeedOptions<ListedObject>> = {}) => follow(objectShape(), more)
  const names = (feed: Feed<ListedObject>) =>
    [...feed.items.values()].map(({ metadata }) => metadata.name).sort()
  const isLive = (feed: Feed<never>) => waitUntil(() => feed.state.name === 'live')
  const has = (feed: Feed<ListedObject>, ...wanted: string[]) =>
    waitUntil(() => String(names(feed)) === String(wanted))
  const asAny = (feed: unknown) => feed as Feed<never>

  it('lists, then follows additions, changes and deletions with a single watch', async () => {
    await line.create(path, secret('a'))
    const feed = objects()
    await isLive(asAny(feed))
    await line.create(path, secret('b'))
    await line.patch(`${path}/a`, { stringData: { value: 'y' } })
    await has(feed, 'a', 'b')
    await line.remove(`${path}/a`)
    await has(feed, 'b')
    expect(feed.sent).to.deep.equal({ lists: 1, watches: 1 })
    expect(delays).to.deep.equal([])
  })

  it('returns the rows and columns of the server, for changes too', async () => {
    await line.create(path, secret('a'))
    const feed = follow<Row>(tableShape)
    await isLive(asAny(feed))
    expect(feed.columns.map(({ name }) => name)).to.deep.equal(['Name', 'Type', 'Data', 'Age'])
    await line.patch(`${path}/a`, { stringData: { other: 'z' } })
    await waitUntil(() => [...feed.items.values()][0]?.cells[2] === 2)
    const [row] = [...feed.items.values()]
    expect(row?.cells.slice(0, 3)).to.deep.equal(['a', 'Opaque', 2])
    expect(row?.object.metadata.labels).to.deep.equal({ app: 'x' })
  })

  it('reads long lists in pages and shows the first one before the rest', async () => {
    for (let index = 0; index < 510; index++)
      await line.create(path, secret(`c-${String(index).padStart(4, '0')}`))
    const sizes: number[] = []
    const feed = objects()
    feed.subscribe(() => sizes.push(feed.items.size))
    await isLive(asAny(feed))
    expect(sizes).to.deep.equal([500, 510, 510])
    expect(feed.sent).to.deep.equal({ lists: 2, watches: 1 })
  })

  it('resumes from the last revision after a cut connection, without a second list', async () => {
    await line.create(path, secret('a'))
    const feed = objects()
    await isLive(asAny(feed))
    await line.create(path, secret('b'))
    await has(feed, 'a', 'b')
    const { revision } = feed
    const states: string[] = []
    feed.subscribe(() => states.push(feed.state.name))
    line.cut()
    await line.create(path, secret('c'))
    await has(feed, 'a', 'b', 'c')
    expect(feed.sent).to.deep.equal({ lists: 1, watches: 2 })
    expect(line.watches()[1]).to.include(`resourceVersion=${revision}&`)
    expect(states.slice(0, 2)).to.deep.equal(['stale', 'live'])
    expect(delays).to.deep.equal([500])
  })

  it('continues at once, without becoming stale, when the server ends a watch that had events', async () => {
    await line.create(path, secret('a'))
    const feed = objects()
    let replies = 0
    const object = { metadata: { resourceVersion: '4711' } }
    line.intercept = (url) =>
      url.includes('watch=true') && replies++ === 0
        ? lines({ type: 'BOOKMARK', object })
        : undefined
    const states = new Set<string>()
    feed.subscribe(() => states.add(feed.state.name))
    await waitUntil(() => line.watches().length === 2)
    expect(line.watches()[1]).to.include('resourceVersion=4711&')
    await isLive(asAny(feed))
    expect([...states]).to.not.include('stale')
    expect(delays).to.deep.equal([])
  })

  it('delays the next watch after one that ended at once without an event', async () => {
    const feed = objects()
    line.intercept = (url) =>
      url.includes('watch=true') && line.watches().length <= 3 ? lines() : undefined
    await waitUntil(() => line.watches().length === 4)
    await isLive(asAny(feed))
    expect(delays).to.deep.equal([500, 1000, 2000])
  })

  const gone = { reason: 'Expired', message: 'too old resource version' }
  for (const [how, answer] of [
    ['as a response', () => status(410, gone)],
    ['as an event', () => lines({ type: 'ERROR', object: { code: 410, ...gone } })],
  ] as const) {
    it(`lists again when the revision is gone, reported ${how}, and keeps unchanged items`, async () => {
      await line.create(path, secret('a'))
      await line.create(path, secret('b'))
      const feed = objects()
      await isLive(asAny(feed))
      const kept = [...feed.items.values()].find(({ metadata }) => metadata.name === 'a')
      let isFirst = true
      line.intercept = (url) => {
        if (!url.includes('watch=true') || !isFirst) return undefined
        isFirst = false
        return answer()
      }
      line.cut()
      await line.remove(`${path}/b`)
      await line.create(path, secret('d'))
      await has(feed, 'a', 'd')
      await isLive(asAny(feed))
      expect(feed.sent.lists).to.equal(2)
      expect([...feed.items.values()].includes(kept as never)).to.equal(true)
    })
  }

  for (const code of [400, 401, 403, 404, 405]) {
    it(`takes ${code} as final at once, with the server's message`, async () => {
      line.intercept = () => status(code, { message: 'the reason', reason: 'Why' })
      const feed = objects()
      await waitUntil(() => feed.state.name === 'refused')
      const { state } = feed
      expect(state.name === 'refused' && [state.error.code, state.error.message]).to.deep.equal([
        code,
        'the reason',
      ])
      expect([line.paths.length, delays]).to.deep.equal([1, []])
    })
  }

  it('waits as long as the server asks for after 429, and as a whole in growing steps', async () => {
    const codes = [429, 500, 503]
    line.intercept = () => {
      const code = codes.shift()
      const details = code === 429 ? { details: { retryAfterSeconds: 7 } } : {}
      return code === undefined ? undefined : status(code, details)
    }
    const feed = objects()
    await isLive(asAny(feed))
    expect(delays).to.deep.equal([7000, 1000, 2000])
  })

  it('retries at once when told that the network is back', async () => {
    const feed = objects({
      surroundings: { ...hastySurroundings(), after: () => () => undefined },
    })
    let isDown = true
    line.intercept = () => (isDown ? status(503) : undefined)
    await waitUntil(() => feed.state.name === 'stale')
    isDown = false
    feed.retryNow()
    await isLive(asAny(feed))
  })

  it('ends a connection on which nothing arrives, and resumes', async () => {
    const silences: (() => void)[] = []
    const hasty = hastySurroundings()
    const feed = objects({
      surroundings: {
        ...hasty,
        after: (ms, callback) => {
          if (ms < 60_000) return hasty.after(ms, callback)
          silences.push(callback)
          return () => undefined
        },
      },
    })
    await isLive(asAny(feed))
    silences.at(-1)?.()
    await waitUntil(() => feed.sent.watches === 2)
    await isLive(asAny(feed))
    await line.create(path, secret('later'))
    await has(feed, 'later')
    expect(feed.sent.lists).to.equal(1)
  })

  it('follows a selection: an object that no longer matches leaves', async () => {
    await line.create(path, secret('a', 'web'))
    await line.create(path, secret('b', 'db'))
    const feed = objects({ query: { labelSelector: 'app=web' } })
    await isLive(asAny(feed))
    expect(names(feed)).to.deep.equal(['a'])
    await line.patch(`${path}/b`, { metadata: { labels: { app: 'web' } } })
    await has(feed, 'a', 'b')
    await line.patch(`${path}/a`, { metadata: { labels: { app: 'other' } } })
    await has(feed, 'b')
  })

  it('loses and doubles nothing while connections are cut between hundreds of changes', async function () {
    this.timeout(60_000)
    const feed = objects()
    await isLive(asAny(feed))
    const cutter = setInterval(() => line.cut(), 40)
    for (let index = 0; index < 400; index++) {
      const name = `n-${String(index % 50)}`
      const isThere = index >= 50
      if (!isThere) await line.create(path, secret(name))
      else if (index % 7 === 0) {
        await line.remove(`${path}/${name}`)
        await line.create(path, secret(name, 'again'))
      } else await line.patch(`${path}/${name}`, { stringData: { value: String(index) } })
    }
    clearInterval(cutter)
    await line.create(path, secret('last'))
    await waitUntil(() => names(feed).includes('last'))
    const answer = await line.send(path, { headers: {}, signal: new AbortController().signal })
    const { items } = (await answer.json()) as { items: ListedObject[] }
    const revisions = (list: Iterable<ListedObject>) =>
      [...list].map(({ metadata }) => `${metadata.name} ${metadata.resourceVersion}`).sort()
    expect(revisions(feed.items.values())).to.deep.equal(revisions(items))
    expect(feed.sent.lists).to.equal(1)
    expect(feed.sent.watches).to.be.greaterThan(2)
  })

  it('is shared by its users, and ends some time after the last of them', async () => {
    const pool = new FeedPool(hastySurroundings())
    const options = { send: line.send, shape: objectShape<ListedObject>(), path }
    const first = pool.take(options)
    const second = pool.take({ ...options, shape: objectShape<ListedObject>() })
    const other = pool.take({ ...options, query: { labelSelector: 'app=web' } })
    expect(second.feed).to.equal(first.feed)
    expect(other.feed).to.not.equal(first.feed)
    await isLive(asAny(first.feed))
    first.release()
    first.release()
    other.release()
    await waitUntil(() => pool.size === 1)
    second.release()
    await waitUntil(() => pool.size === 0)
    expect(line.watches().filter((url) => !url.includes('labelSelector')).length).to.equal(1)
  })
})
