import { expect } from 'chai'
import { Feed } from '../../console/watch/feed.ts'
import { FeedPool } from '../../console/watch/feedPool.ts'
import { tableShape, type Row } from '../../console/watch/shapes.ts'
import type { Tabs } from '../../console/watch/tabs.ts'
import type { RunningServer } from '../../apiserver/runtime/options/serverOptions.ts'
import { startServer } from '../../apiserver/server.ts'
import { hastySurroundings, TestLine } from './support.ts'
import { waitUntil } from '../support/waitUntil.ts'

const path = '/api/v1/namespaces/default/configmaps'

/** Channels and locks of a browser, in one process; messages are copied like in a browser. */
class TestBrowser {
  readonly #channels = new Map<string, Set<(message: unknown) => void>>()
  readonly #queues = new Map<string, Promise<void>>()

  tabs(): Tabs {
    return {
      open: (name, heard) => {
        const all = this.#channels.get(name) ?? new Set()
        this.#channels.set(name, all.add(heard))
        const post = (message: unknown) => {
          for (const each of all)
            if (each !== heard) queueMicrotask(() => each(structuredClone(message)))
        }
        return { post, close: () => void all.delete(heard) }
      },
      lead: (name, signal, begin) => {
        const before = this.#queues.get(name) ?? Promise.resolve()
        const turn = before.then(async () => {
          if (signal.aborted) return
          begin()
          await new Promise((resolve) => signal.addEventListener('abort', resolve))
        })
        this.#queues.set(name, turn)
      },
    }
  }
}

describe('Feeds shared between tabs', function () {
  this.timeout(20_000)
  let server: RunningServer

  before(async () => {
    server = await startServer({
      ...{ storage: 'memory', securePort: 0, insecurePort: 0, logLevel: 'silent' },
      shutdownGraceSeconds: 0,
    })
  })
  after(() => server.stop())

  const tab = (browser: TestBrowser) => {
    const line = new TestLine(server)
    const pool = new FeedPool(hastySurroundings(), browser.tabs())
    const { feed } = pool.take({ send: line.send, shape: tableShape, path })
    return { line, pool, feed }
  }
  const names = (feed: Feed<Row>) =>
    [...feed.items.values()].map(({ object }) => object.metadata.name).sort()
  const has = (feed: Feed<Row>, name: string) =>
    waitUntil(() => feed.state.name === 'live' && names(feed).includes(name))

  it('have one watch, show the same rows, and continue from the last revision in the next tab', async () => {
    const browser = new TestBrowser()
    const first = tab(browser)
    await first.line.create(path, { metadata: { name: 'one' } })
    await has(first.feed, 'one')
    const second = tab(browser)
    const third = tab(browser)
    for (const { feed } of [second, third]) await has(feed, 'one')
    await first.line.create(path, { metadata: { name: 'two' } })
    for (const { feed } of [first, second, third]) await has(feed, 'two')
    expect([second.line.paths, third.line.paths]).to.deep.equal([[], []])
    expect(second.feed.revision).to.equal(first.feed.revision)
    const { revision } = second.feed
    first.pool.clear()
    await waitUntil(() => second.line.watches().length === 1)
    await first.line.create(path, { metadata: { name: 'three' } })
    for (const { feed } of [second, third]) await has(feed, 'three')
    expect(second.line.paths.length).to.equal(1)
    expect(second.line.paths[0]).to.include(`resourceVersion=${revision}`)
    expect(third.line.paths).to.deep.equal([])
    expect(names(third.feed)).to.deep.equal(names(second.feed))
    for (const { pool } of [second, third]) pool.clear()
  })

  it('say in every tab that the server refused, with its words', async () => {
    const browser = new TestBrowser()
    const refused = { kind: 'Status', code: 403, reason: 'Forbidden', message: 'not for you' }
    const pools = [0, 1].map(() => {
      const line = new TestLine(server)
      line.intercept = () => new Response(JSON.stringify(refused), { status: 403 })
      const pool = new FeedPool(hastySurroundings(), browser.tabs())
      return { pool, feed: pool.take({ send: line.send, shape: tableShape, path }).feed }
    })
    for (const { feed } of pools) {
      await waitUntil(() => feed.state.name === 'refused')
      expect(feed.state).to.have.property('error').that.has.property('message', 'not for you')
    }
    for (const { pool } of pools) pool.clear()
  })

  it('ask for everything if a change does not follow on what a tab has seen', () => {
    const line = new TestLine(server)
    const feed = new Feed({ send: line.send, shape: tableShape, path })
    const object = { apiVersion: 'v1', metadata: { name: 'a', uid: '1', resourceVersion: '7' } }
    const state = { name: 'live' } as const
    const items = [{ cells: [], object }]
    expect(feed.adopt({ type: 'events', from: '5', events: [] })).to.equal(false)
    expect(feed.adopt({ type: 'whole', items, columns: [], revision: '7', state })).to.equal(true)
    expect(feed.adopt({ type: 'events', from: '6', events: [] })).to.equal(false)
    const events = [{ type: 'DELETED', object: { rows: [{ cells: [], object }] } }]
    expect(feed.adopt({ type: 'events', from: '7', events })).to.equal(true)
    expect(names(feed)).to.deep.equal([])
  })
})
