import { expect } from 'chai'
import { forbidden } from '../../../apiserver/meta/statusErrors.ts'
import { openMemory } from '../../../apiserver/storage/level/format/database.ts'
import { turns } from '../../support/eventually.ts'
import { openStores, type Stores } from '../../support/stores.ts'
import { thing, thingResource } from '../../support/thing.ts'
import { withFaults, type Faults } from '../../storage/level/faultyDatabase.ts'
import { openChainServer, type ChainServer } from '../support/chainServer.ts'
import type { Answer, HttpClient } from '../support/httpClient.ts'

const things = '/apis/example.dev/v1/namespaces/default/things'
const one = `${things}/one`
const resource = thingResource()

interface Case {
  name: string
  /** Objects in storage before the request. */
  stored?: object[]
  /** Starts the write whose end is delayed. */
  write: (client: HttpClient) => Promise<Answer>
  /** Request during the pending write. */
  ask: (client: HttpClient) => Promise<Answer>
  /** Status once the write is durable, and after it failed. */
  code: number
  failed: number
  /** Status of the following GET of `one`. */
  then: number
}

const sent = (spec: object = {}, metadata: object = {}) => ({
  ...thing('one', { ...metadata, spec: { ...spec } }),
})
const create = (client: HttpClient) => client.post(things, sent({ size: 1 }))
const change = (client: HttpClient) => client.put(one, sent({ size: 2 }))
const remove = (client: HttpClient) => client.delete(one)
const removeAt = (resourceVersion: string) => (client: HttpClient) =>
  client.delete(one, { preconditions: { resourceVersion } })
const stale =
  (path = one) =>
  (client: HttpClient) =>
    client.put(path, sent({ size: 3 }, { resourceVersion: '1' }))
const get = (path: string) => (client: HttpClient) => client.get(path)
const stored = [sent()]

const refusals: Case[] = [
  {
    name: 'a create of what is being created',
    write: create,
    ask: create,
    code: 409,
    failed: 503,
    then: 200,
  },
  {
    name: 'its dry run',
    write: create,
    ask: (client) => client.post(`${things}?dryRun=All`, sent()),
    code: 409,
    failed: 503,
    then: 200,
  },
  {
    name: 'an update at a stale version',
    stored,
    write: change,
    ask: stale(),
    code: 409,
    failed: 503,
    then: 200,
  },
  {
    name: 'its dry run',
    stored,
    write: change,
    ask: stale(`${one}?dryRun=All`),
    code: 409,
    failed: 503,
    then: 200,
  },
  {
    name: 'an update of another UID',
    stored,
    write: change,
    ask: (client) => client.put(one, sent({}, { uid: 'another' })),
    code: 409,
    failed: 503,
    then: 200,
  },
  {
    name: 'an update of what is being deleted',
    stored,
    write: remove,
    ask: change,
    code: 404,
    failed: 503,
    then: 404,
  },
  {
    name: 'a patch of what is being deleted',
    stored,
    write: remove,
    ask: (client) => client.patch(one, 'merge-patch+json', { spec: { size: 4 } }),
    code: 404,
    failed: 503,
    then: 404,
  },
  {
    name: 'a patch that another state refuses',
    stored,
    write: change,
    ask: (client) =>
      client.patch(one, 'json-patch+json', [{ op: 'test', path: '/spec/size', value: 1 }]),
    code: 422,
    failed: 503,
    then: 200,
  },
  {
    name: 'a deletion of what is being deleted',
    stored,
    write: remove,
    ask: remove,
    code: 404,
    failed: 503,
    then: 404,
  },
  {
    name: 'a deletion whose preconditions do not hold',
    stored,
    write: change,
    ask: removeAt('1'),
    code: 409,
    failed: 503,
    then: 200,
  },
  {
    name: 'a create that something else refuses',
    stored,
    write: remove,
    ask: (client) => client.post(things, thing('guarded')),
    code: 403,
    failed: 503,
    then: 404,
  },
]
const answers: Case[] = [
  {
    name: 'a dry run of an update',
    stored,
    write: change,
    ask: (client) => client.put(`${one}?dryRun=All`, sent({ size: 4 })),
    code: 200,
    failed: 503,
    then: 200,
  },
  {
    name: 'a dry run of a deletion',
    stored,
    write: change,
    ask: (client) => client.delete(`${one}?dryRun=All`),
    code: 200,
    failed: 503,
    then: 200,
  },
  {
    name: 'a dry run of a create',
    stored,
    write: remove,
    ask: (client) => client.post(`${things}?dryRun=All`, sent()),
    code: 201,
    failed: 503,
    then: 404,
  },
  {
    name: 'an update that changes nothing',
    stored,
    write: change,
    ask: change,
    code: 200,
    failed: 503,
    then: 200,
  },
  {
    name: 'a GET of what is being created',
    write: create,
    ask: get(one),
    code: 200,
    failed: 404,
    then: 200,
  },
  {
    name: 'a GET of what is being changed',
    stored,
    write: change,
    ask: get(one),
    code: 200,
    failed: 200,
    then: 200,
  },
  {
    name: 'a GET of what is being deleted',
    stored,
    write: remove,
    ask: get(one),
    code: 404,
    failed: 200,
    then: 404,
  },
]
const others: Omit<Case, 'failed' | 'then'>[] = [
  {
    name: 'a GET of any state',
    stored,
    write: remove,
    ask: get(`${one}?resourceVersion=0`),
    code: 200,
  },
  {
    name: 'a GET of another object',

    write: create,
    ask: get(`${things}/other`),
    code: 404,
  },
  { name: 'a LIST', stored, write: change, ask: get(things), code: 200 },
]

describe('while a write is on its way to disk', () => {
  let stores: Stores
  let server: ChainServer
  let client: HttpClient
  let faults: Faults
  let open: () => void

  beforeEach(async () => {
    faults = {}
    const openDatabase = async () => withFaults(await openMemory(), faults)
    stores = await openStores({
      openDatabase,
      admit: ({ name, operation }) => {
        const isThere = stores.storage.newest(store().keyOf({ namespace: 'default', name: 'one' }))
        if (operation === 'create' && name === 'guarded' && isThere === undefined)
          throw forbidden({ group: 'example.dev', resource: 'things' }, name, 'one is gone')
      },
    })
    server = await openChainServer({
      resources: [resource],
      storeOf: (wanted) => stores.storeOf(wanted),
    })
    client = server.as('master')
  })

  afterEach(async () => {
    open()
    await server.close()
    await stores.close()
  })

  const store = () => stores.storeOf(resource)

  /** Lets the writes of `stored` pass, and delays the next one. */
  async function begin({ stored: objects = [], write }: Pick<Case, 'stored' | 'write'>) {
    for (const object of objects) expect((await client.post(things, object)).status).to.equal(201)
    faults.gate = new Promise((resolve) => (open = resolve))
    const written = write(client)
    while (stores.storage.pendingRevision() === 0) await turns(1)
    return { written }
  }

  /** Reports whether a response took more turns than a response that does not wait. */
  async function isAnswered(asked: Promise<Answer>): Promise<boolean> {
    let isThere = false
    void asked.then(() => (isThere = true))
    await client.get(`${things}/nobody`)
    await client.get(`${things}/nobody`)
    await turns(20)
    return isThere
  }

  for (const { name, ask, code, failed, then, ...before } of [...refusals, ...answers]) {
    it(`${name} waits for the durable write, as the next read shows`, async () => {
      const { written } = await begin(before)
      const asked = ask(client)
      expect(await isAnswered(asked)).to.equal(false)
      open()
      expect((await asked).status).to.equal(code)
      expect((await client.get(one)).status).to.equal(then)
      expect((await written).status).to.be.below(300)
    })

    it(`${name} is decided again if the write fails`, async () => {
      const { written } = await begin(before)
      const asked = ask(client)
      expect(await isAnswered(asked)).to.equal(false)
      faults.refuse = { message: 'no space left', fate: 'lost' }
      open()
      expect((await written).status).to.equal(503)
      expect((await asked).status).to.equal(failed)
    })
  }

  for (const { name, ask, code, ...before } of others) {
    it(`${name} does not wait`, async () => {
      await begin(before)
      expect((await ask(client)).status).to.equal(code)
    })
  }
})
