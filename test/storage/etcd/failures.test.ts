import { expect } from 'chai'
import { rm } from 'node:fs/promises'
import { realClock } from '../../../apiserver/runtime/realClock.ts'
import { StorageError } from '../../../apiserver/storage/errors.ts'
import {
  EtcdStorage,
  type EtcdStorageOptions,
} from '../../../apiserver/storage/etcd/etcdStorage.ts'
import type { Change } from '../../../apiserver/storage/storage.ts'
import { describeWithEtcd, EtcdServer } from '../../support/etcd/etcdServer.ts'
import { CutProxy } from '../../support/etcd/cutProxy.ts'
import { refuses, show, template } from '../values.ts'

describeWithEtcd('EtcdStorage, when etcd fails', (binary) => {
  let etcd: EtcdServer
  const opened: EtcdStorage[] = []
  const failures: unknown[] = []

  const open = async (more: Partial<EtcdStorageOptions> = {}): Promise<EtcdStorage> => {
    const storage = await EtcdStorage.open({
      access: { endpoints: [etcd.endpoint], credentials: {} },
      prefix: '/test',
      clock: realClock,
      onFailure: (error) => failures.push(error),
      ...more,
    })
    opened.push(storage)
    return storage
  }
  const start = async (...flags: string[]): Promise<void> => {
    etcd = await EtcdServer.start(binary, flags)
  }
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((storage) => storage.close()))
    failures.length = 0
    await etcd.remove()
  })

  it('resumes after a restart of etcd: no write is lost, and watches miss nothing', async () => {
    await start()
    const storage = await open()
    const seen: number[] = []
    await storage.watch('/', storage.revision, (changes) => {
      seen.push(...changes.map(({ revision }) => revision))
    })
    const first = await storage.create('/a', template('one'))
    await etcd.kill()
    await refuses(() => storage.update('/a', template('lost'), first.revision), 'Unavailable')
    await refuses(() => storage.reachNewest(), 'Unavailable')
    await etcd.restart()
    const second = await retried(() => storage.update('/a', template('two'), first.revision))
    expect(show(await storage.get('/a'))).to.equal(show(second))
    expect(seen).to.deep.equal([first.revision, second.revision])
  })

  it('reports that etcd is unreachable, and that it is back', async () => {
    await start()
    let recoveries = 0
    const storage = await open({ healthcheckTimeoutMs: 300, onRecovered: () => recoveries++ })
    storage.ready()
    etcd.signal('SIGSTOP')
    await until(() => refusesNow(() => storage.ready()))
    await refuses(() => storage.ready(), 'Unavailable', { message: /etcd does not answer/ })
    etcd.signal('SIGCONT')
    // A busy machine may mistake a late response for a missing one, and recover again.
    await until(() => recoveries > 0 && !refusesNow(() => storage.ready()))
  })

  it('lists again after a compacted gap: watchers of the past get Compacted', async () => {
    await start()
    const proxy = await CutProxy.open(etcd.endpoint)
    const left = await open({ access: { endpoints: [proxy.endpoint], credentials: {} } })
    const before = left.revision
    const made = await left.create('/a', template('one'))
    await left.create('/gone', template('x'))
    const changes: Change[] = []
    await left.watch('/', left.revision, (some) => void changes.push(...some))
    proxy.cut()
    const right = await open()
    await right.update('/a', template('two'), made.revision)
    await right.delete('/gone', right.newest('/gone')?.revision ?? 0)
    await right.compact(right.revision)
    proxy.mend()
    await retried(() => left.reachNewest())
    expect(left.revision).to.be.at.least(right.revision)
    expect((await left.get('/a'))?.value.toString()).to.match(/^two@/)
    expect(await left.get('/gone')).to.equal(undefined)
    expect(changes.map(({ key, value }) => [key, value === undefined])).to.deep.equal([
      ['/a', false],
      ['/gone', true],
    ])
    await refuses(() => left.changes('/', before, 10), 'Compacted')
    await refuses(() => left.get('/a', { revision: made.revision }), 'Compacted')
    await proxy.close()
  })

  it('returns Compacted for a past that others have compacted', async () => {
    await start()
    const storage = await open()
    const { revision } = await storage.create('/a', template('one'))
    const second = await storage.update('/a', template('two'), revision)
    await storage.update('/a', template('three'), second.revision)
    const outside = await etcd.client()
    await outside.compact(second.revision)
    outside.close()
    const also = { revision: second.revision }
    await refuses(() => storage.get('/a', { revision }), 'Compacted', also)
    await refuses(() => storage.changes('/', revision - 1, 10), 'Compacted', also)
    expect(show(await storage.get('/a', also))).to.equal(show(second))
  })

  it('refuses to serve if etcd is at an older revision than was read from it', async () => {
    await start()
    const storage = await open()
    const stored = await storage.create('/a', template('one'))
    await storage.update('/a', template('two'), stored.revision)
    await etcd.kill()
    await rm(etcd.dataDir, { recursive: true })
    await etcd.restart()
    await until(() => refusesNow(() => storage.ready()))
    await refuses(() => storage.ready(), 'Restored', { message: /restored|replaced/ })
    await refuses(() => storage.create('/b', template('b')), 'Unavailable', { message: /etcd/ })
    await refuses(() => storage.reachNewest(), 'Unavailable')
  })

  it('refuses values when etcd is out of space, and accepts deletions', async () => {
    await start('--quota-backend-bytes', String(2 ** 20))
    const storage = await open()
    const { revision } = await storage.create('/doomed', template('x'))
    const fill = async (): Promise<void> => {
      for (let i = 0; ; i++) await storage.create(`/fill/${i}`, template('x'.repeat(200_000)))
    }
    await refuses(fill, 'NoSpace', { message: /database space exceeded/ })
    await until(() => refusesNow(() => storage.ready()))
    await refuses(() => storage.ready(), 'NoSpace', { message: /disarm/ })
    expect(await storage.delete('/doomed', revision)).to.be.greaterThan(revision)
  })

  it('refuses a value that etcd refuses: TooLarge', async () => {
    await start('--max-request-bytes', '100000')
    const storage = await open()
    const large = template('x'.repeat(150_000))
    await refuses(() => storage.create('/a', large), 'TooLarge', {
      message: /request is too large/,
    })
    expect((await storage.create('/a', template('small'))).key).to.equal('/a')
  })

  it('refuses a key space with other names, and one of a newer format', async () => {
    await start()
    await open({ identity: { 'names.domain': 'one.dev' } })
    const other = open({ identity: { 'names.domain': 'two.dev' } })
    await refuses(() => other, 'OtherIdentity', { message: /names.domain one.dev, not two.dev/ })
    const outside = await etcd.client()
    const value = Buffer.from('{"format":2,"identity":{}}')
    const put = { requestPut: { key: Buffer.from('/test/m/format'), value } }
    await outside.txn({ compare: [], success: [put], failure: [] })
    outside.close()
    await refuses(() => open(), 'NewerFormat', { message: /format 2/ })
  })

  it('does not open without etcd: Unavailable with its address', async () => {
    await start()
    await etcd.kill()
    await refuses(() => open(), 'Unavailable', { message: new RegExp(etcd.endpoint) })
  })

  it('uses the next member when one is down', async () => {
    await start()
    const endpoints = ['http://127.0.0.1:1', etcd.endpoint]
    const storage = await open({ access: { endpoints, credentials: {} } })
    expect((await storage.create('/a', template('one'))).key).to.equal('/a')
    await storage.reachNewest()
  })
})

function refusesNow(call: () => void): boolean {
  try {
    call()
    return false
  } catch (error) {
    if (error instanceof StorageError) return true
    throw error
  }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await pause()
}

async function retried<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof StorageError) || error.code !== 'Unavailable') throw error
      await pause()
    }
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 20))
}
