import { expect } from 'chai'
import { realClock } from '../../../apiserver/runtime/realClock.ts'
import { StorageError } from '../../../apiserver/storage/errors.ts'
import { EtcdStorage } from '../../../apiserver/storage/etcd/etcdStorage.ts'
import { describeWithEtcd, EtcdServer } from '../../support/etcd/etcdServer.ts'
import { refuses, show, showChange, template } from '../values.ts'

describeWithEtcd('EtcdStorage, with writes on their way', (binary) => {
  let etcd: EtcdServer
  let count = 0
  let storage: EtcdStorage
  let other: EtcdStorage
  before(async () => {
    etcd = await EtcdServer.start(binary)
  })
  after(() => etcd.remove())

  beforeEach(async () => {
    const access = { endpoints: [etcd.endpoint], credentials: {} }
    const options = { access, prefix: `/test/${++count}`, clock: realClock }
    storage = await EtcdStorage.open(options)
    other = await EtcdStorage.open(options)
  })
  afterEach(() => Promise.all([storage.close(), other.close()]))

  it('returns them before they are committed, and their final revision afterwards', async () => {
    const created = storage.create('/a', template('one'))
    const newest = storage.newest('/a')
    expect(await storage.get('/a')).to.equal(undefined)
    expect(newest?.revision).to.be.greaterThan(Number.MAX_SAFE_INTEGER / 4)
    expect(storage.pendingRevision('/a')).to.equal(newest?.revision)
    await storage.settled(newest?.revision ?? 0)
    expect(show(newest)).to.equal(show(await storage.get('/a')))
    expect(show(newest)).to.equal(show(await created))
    expect([storage.pendingRevision('/a'), storage.pendingRevision()]).to.deep.equal([0, 0])
  })

  it('writes one key repeatedly without waiting, each write based on the one before', async () => {
    const writes = [storage.create('/a', template('0'))]
    for (let i = 1; i <= 20; i++) {
      const { revision = 0 } = storage.newest('/a') ?? {}
      writes.push(storage.update('/a', template(String(i)), revision))
    }
    const gone = storage.delete('/a', storage.newest('/a')?.revision ?? 0)
    expect(storage.newest('/a')).to.equal(undefined)
    const back = storage.create('/a', template('back'))
    const revisions = (await Promise.all(writes)).map(({ revision }) => revision)
    revisions.push(await gone, (await back).revision)
    expect(revisions).to.deep.equal([...revisions].sort((a, b) => a - b))
    expect(new Set(revisions).size).to.equal(23)
    expect((await storage.get('/a'))?.value.toString()).to.match(/^back@/)
  })

  it('accepts a provisional revision of a finished write', async () => {
    const created = storage.create('/a', template('one'))
    const { revision = 0 } = storage.newest('/a') ?? {}
    await created
    const updated = await storage.update('/a', template('two'), revision)
    await refuses(() => storage.update('/a', template('x'), revision), 'RevisionConflict', {
      revision: updated.revision,
    })
  })

  it('refuses synchronously what a pending write rules out', async () => {
    const created = storage.create('/a', template('one'))
    await refuses(() => storage.create('/a', template('two')), 'KeyExists')
    await refuses(() => storage.update('/a', template('two'), 1), 'RevisionConflict')
    const gone = storage.delete('/a', storage.newest('/a')?.revision ?? 0)
    await refuses(() => storage.delete('/a', 1), 'KeyNotFound')
    await Promise.all([created, gone])
  })

  it('refuses the slower of two servers, and its later writes with it', async () => {
    const ends = await Promise.allSettled(
      [storage, other].flatMap((one) => {
        const first = one.create('/a', template('one'))
        return [first, one.update('/a', template('two'), one.newest('/a')?.revision ?? 0)]
      }),
    )
    const codes = ends.map((end) => (end.status === 'fulfilled' ? 'ok' : codeOf(end.reason)))
    const [won, lost] =
      codes[0] === 'ok' ? [codes.slice(0, 2), codes.slice(2)] : [codes.slice(2), codes.slice(0, 2)]
    expect(won).to.deep.equal(['ok', 'ok'])
    expect(lost).to.deep.equal(['KeyExists', 'RevisionConflict'])
  })

  it('shows a refused writer the state that caused the refusal', async () => {
    const { revision } = await storage.create('/a', template('one'))
    await other.reachNewest()
    const writers = [storage, other].map((one) => one.update('/a', template('two'), revision))
    const ends = await Promise.allSettled(writers)
    const [loser] = ends[0]?.status === 'rejected' ? [storage] : [other]
    const won = ends.find((end) => end.status === 'fulfilled')?.value
    expect(ends.filter((end) => end.status === 'rejected').length).to.equal(1)
    expect(show(loser.newest('/a'))).to.equal(show(won))
  })

  it("reads its own and the other server's writes after reachNewest", async () => {
    for (let i = 0; i < 50; i++) {
      const [one, two] = i % 2 === 0 ? [storage, other] : [other, storage]
      const made = await one.create(`/k/${i}`, template('v'))
      await two.reachNewest()
      expect(show(await two.get(`/k/${i}`))).to.equal(show(made))
    }
  })

  it('reaches a revision of etcd that others have written', async () => {
    const outside = await etcd.client()
    const put = { requestPut: { key: Buffer.from('/elsewhere'), value: Buffer.of() } }
    await outside.txn({ compare: [], success: [put], failure: [] })
    outside.close()
    const before = storage.revision
    await storage.reachNewest()
    expect(storage.revision).to.be.greaterThan(before)
  })

  it('reports the same order to watches of both, and in history', async () => {
    const live: string[][] = [[], []]
    const since = storage.revision
    for (const [at, one] of [storage, other].entries()) {
      await one.watch('/', since, (changes) => void live[at]?.push(...changes.map(showChange)))
    }
    const keys = Array.from({ length: 40 }, (_, i) => `/k/${i}`)
    await Promise.all(keys.map((key, i) => (i % 2 ? storage : other).create(key, template('v'))))
    const gone = keys
      .slice(0, 10)
      .map((key) => storage.delete(key, storage.newest(key)?.revision ?? 0))
    await Promise.all(gone)
    await Promise.all([storage.reachNewest(), other.reachNewest()])
    expect(live[0]?.length).to.equal(50)
    expect(live[1]).to.deep.equal(live[0])
    const { changes } = await other.changes('/', since, 100)
    expect(changes.map(showChange)).to.deep.equal(live[0])
  })

  it('commits writes together or not at all, whichever server is faster', async () => {
    await storage.create('/t/count', template('0'))
    await other.reachNewest()
    // Each adds an object and counts it: no count is lost, and none lacks its object.
    const add = async (one: EtcdStorage, name: string): Promise<void> => {
      for (;;) {
        const { revision, value } = one.newest('/t/count') ?? expect.fail('the count is gone')
        const count = Number(value.toString().split('@')[0])
        const parts = one.together(() => [
          one.update('/t/count', template(String(count + 1)), revision),
          one.create(`/t/objects/${name}`, template('x')),
        ])
        const ended = await Promise.allSettled(parts)
        const [first] = ended
        expect(ended.map(({ status }) => status)).to.deep.equal([first?.status, first?.status])
        if (first?.status === 'fulfilled') return
        expect(codeOf(first?.reason)).to.equal('RevisionConflict')
      }
    }
    await Promise.all(Array.from({ length: 40 }, (_, n) => add(n % 2 ? storage : other, `${n}`)))
    await storage.reachNewest()
    const { items } = await storage.list({ prefix: '/t/objects/' })
    expect(items.length).to.equal(40)
    expect(storage.newest('/t/count')?.value.toString()).to.match(/^40@/)
  })

  it('commits no write of a group if one is refused, or its function throws', async () => {
    const { revision } = await storage.create('/r/count', template('0'))
    await storage.create('/r/taken', template('x'))
    const refused = await Promise.allSettled(
      storage.together(() => [
        storage.update('/r/count', template('1'), revision),
        storage.create('/r/taken', template('y')),
        storage.create('/r/new', template('y')),
      ]),
    )
    expect(refused.map((one) => one.status === 'rejected' && codeOf(one.reason))).to.deep.equal([
      ...['RevisionConflict', 'KeyExists', 'RevisionConflict'],
    ])
    let update: Promise<unknown> = Promise.resolve()
    const throwing = () =>
      storage.together(() => {
        update = storage.update('/r/count', template('2'), revision)
        update.catch(() => undefined)
        throw new Error('changed its mind')
      })
    expect(throwing).to.throw('changed its mind')
    expect(await update.catch(codeOf)).to.equal('RevisionConflict')
    await storage.reachNewest()
    expect(storage.newest('/r/count')?.revision).to.equal(revision)
    expect(storage.newest('/r/new')).to.equal(undefined)
    // The next write of the key proceeds.
    await storage.update('/r/count', template('3'), revision)
  })

  it('returns all changes of one transaction to a reader of the past, even at the end of a page', async () => {
    const since = (await storage.create('/p/0', template('x'))).revision
    for (let n = 1; n <= 4; n++) {
      const pair = [`/p/${n}-a`, `/p/${n}-b`]
      await Promise.all(
        storage.together(() => pair.map((key) => storage.create(key, template('x')))),
      )
    }
    await other.reachNewest()
    const seen: string[] = []
    for (let at = since, more = true; more;) {
      const page = await other.changes('/p/', at, 3)
      seen.push(...page.changes.map(({ key }) => key))
      at = page.revision
      more = page.more
    }
    const wanted = [1, 2, 3, 4].flatMap((n) => [`/p/${n}-a`, `/p/${n}-b`])
    expect(seen).to.deep.equal(wanted)
  })
})

function codeOf(reason: unknown): string {
  return reason instanceof StorageError ? reason.code : String(reason)
}
