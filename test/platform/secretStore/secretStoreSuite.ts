import { isDeepStrictEqual } from 'node:util'
import { expect } from 'chai'
import type { ApiObject } from '../../../apiserver/meta/types.ts'
import { systemContext } from '../../../apiserver/registry/systemContext.ts'
import type { SecretStoreSettings } from '../../../apiserver/platform/secretStore/secretStoreSettings.ts'
import { refusal } from '../../support/refusal.ts'
import { waitUntil } from '../../support/waitUntil.ts'
import type { KeyValueOperator } from '../../support/keyValue/keyValueOperator.ts'
import { projectSecret, SecretPlane, sharedSecret, userContext } from '../../support/secretPlane.ts'
import { change, create, put } from '../../support/stores.ts'

const mine = { namespace: 'p-one', name: 'mine' }
const base64 = (text: string) => Buffer.from(text).toString('base64')

export function settingsFor(address: string, token: string): SecretStoreSettings {
  return {
    enabled: true,
    address,
    token,
    skipTLSVerify: false,
    namespace: '',
    tokenSecretRef: undefined,
    syncIntervalMs: 60_000,
  }
}

/** Contract of syncing with a secret store, against a server that runs during the tests. */
export function secretStoreSuite(operatorOf: () => KeyValueOperator): void {
  let plane: SecretPlane
  let operator: KeyValueOperator
  let path = ''
  let count = 0

  beforeEach(async () => {
    operator = operatorOf()
    path = `p-one/s${process.pid}-${++count}`
    plane = await SecretPlane.open()
    await plane.start()
    plane.sync?.update(settingsFor(operator.address, operator.token))
  })

  afterEach(() => plane.close())

  const annotations = () => ({
    'platform/secretStore-kv-version': 'kv2',
    'platform/secretStore-kv-mount-path': 'secret',
    'platform/secretStore-kv-secret-path': path,
  })
  const synced = (data: Record<string, string>) =>
    projectSecret(data, { annotations: annotations() })
  const newest = (): ApiObject => plane.projectSecrets.newest(mine).object
  const dataHere = () => (newest()['spec'] as { data?: Record<string, string> }).data ?? {}
  const condition = () => {
    const { conditions = [] } = newest()['status'] as { conditions?: Record<string, string>[] }
    return conditions.find(({ type }) => type === 'SecretStoreSynced')
  }
  const hereIs = (data: Record<string, string>) =>
    waitUntil(() => isDeepStrictEqual(dataHere(), data))
  const storeHas = (data: Record<string, unknown> | undefined) =>
    waitUntil(async () => isDeepStrictEqual(await operator.get(path), data))
  const interval = () => plane.stores.clock.advance(60_000)
  const isReady = () => waitUntil(() => condition()?.['status'] === 'True')
  /** Creates data that both sides have synced. */
  const begin = async (data: Record<string, string>) => {
    const local = Object.fromEntries(Object.entries(data).map(([key, text]) => [key, base64(text)]))
    await create(plane.projectSecrets, synced(local))
    await storeHas(data)
    await isReady()
  }
  const set = (data: Record<string, string>) =>
    change(plane.projectSecrets, mine, (object) => (object['spec'] = { data }))

  it('a new project secret is written to the store (spec config.secretStore.enabled)', async () => {
    await begin({ user: 'jane', word: 'geheim' })
    expect([await operator.version(path), condition()?.['message']]).to.deep.equal([
      1,
      `The data is that of secret/${path}.`,
    ])
    expect(await operator.names('p-one')).to.include(path.slice('p-one/'.length))
  })

  it('a new project secret gets the content of the store (spec config.secretStore.enabled)', async () => {
    await operator.put(path, { user: 'jane', port: 5432, tags: ['a'] })
    await create(plane.projectSecrets, synced({}))
    await hereIs({ port: base64('5432'), tags: base64('["a"]'), user: base64('jane') })
    await isReady()
    expect(await operator.version(path)).to.equal(1)
  })

  it('the first sync merges both sides; the store wins for a key on both', async () => {
    await operator.put(path, { a: 'store', b: 'store' })
    await create(plane.projectSecrets, synced({ a: base64('here'), c: base64('here') }))
    await hereIs({ a: base64('store'), b: base64('store'), c: base64('here') })
    await storeHas({ a: 'store', b: 'store', c: 'here' })
  })

  it('a local change is written at once', async () => {
    await begin({ a: '1' })
    await set({ a: base64('2') })
    await storeHas({ a: '2' })
    expect(await operator.version(path)).to.equal(2)
  })

  it('a change in the store is read at the interval (spec limit.secretStore.syncInterval, config.secretStore.syncInterval)', async () => {
    await begin({ a: '1' })
    await operator.put(path, { a: '2', b: '3' })
    plane.stores.clock.advance(59_999)
    await waitUntil(() => true)
    expect(dataHere()).to.deep.equal({ a: base64('1') })
    plane.stores.clock.advance(1)
    await hereIs({ a: base64('2'), b: base64('3') })
  })

  it('changes of both sides are merged by key, and the store wins for a key changed on both', async () => {
    await begin({ both: '0', here: '0', store: '0', gone: '0', left: '0' })
    plane.sync?.stop()
    await operator.put(path, { both: 'store', here: '0', store: 'new', left: '0' })
    await set({ both: base64('here'), here: base64('new'), store: base64('0'), gone: base64('0') })
    await plane.start()
    plane.sync?.update(settingsFor(operator.address, operator.token))
    await hereIs({ both: base64('store'), here: base64('new'), store: base64('new') })
    await waitUntil(async () => (await operator.version(path)) === 3)
    expect(await operator.get(path)).to.deep.equal({ both: 'store', here: 'new', store: 'new' })
  })

  it('if the common version is destroyed, nothing counts as removed and the store wins', async () => {
    await begin({ a: '0', b: '0' })
    plane.sync?.stop()
    await operator.put(path, { a: 'store' })
    await operator.destroy(path, 1)
    await set({ a: base64('here'), b: base64('0') })
    await plane.start()
    plane.sync?.update(settingsFor(operator.address, operator.token))
    await hereIs({ a: base64('store'), b: base64('0') })
    await storeHas({ a: 'store', b: '0' })
  })

  it('a secret deleted in the store has no data here, and has it again when undeleted', async () => {
    await begin({ a: '1' })
    await operator.remove(path)
    interval()
    await hereIs({})
    await operator.undelete(path, 1)
    interval()
    await hereIs({ a: base64('1') })
    expect(await operator.version(path)).to.equal(1)
  })

  it('a local change recreates a secret deleted in the store', async () => {
    await begin({ a: '1' })
    await operator.remove(path)
    await set({ a: base64('2') })
    await storeHas({ a: '2' })
    expect(await operator.version(path)).to.equal(2)
  })

  it('a secret unknown to the store is written again', async () => {
    await begin({ a: '1' })
    await operator.forget(path)
    interval()
    await storeHas({ a: '1' })
    expect(dataHere()).to.deep.equal({ a: base64('1') })
  })

  it('a deleted project secret is deleted in the store, where it can be undeleted', async () => {
    await begin({ a: '1' })
    await plane.projectSecrets.delete(mine, {}, systemContext())
    await waitUntil(
      () => plane.stores.storage.newest(plane.projectSecrets.keyOf(mine)) === undefined,
    )
    expect(await operator.get(path)).to.equal(undefined)
    await operator.undelete(path, 1)
    expect(await operator.get(path)).to.deep.equal({ a: '1' })
  })

  it('a deleted project secret keeps what another client wrote to the store since', async () => {
    await begin({ a: '1' })
    await operator.put(path, { a: 'theirs' })
    await plane.projectSecrets.delete(mine, {}, systemContext())
    await waitUntil(
      () => plane.stores.storage.newest(plane.projectSecrets.keyOf(mine)) === undefined,
    )
    expect(await operator.get(path)).to.deep.equal({ a: 'theirs' })
  })

  it('without the annotations both sides are unchanged', async () => {
    await begin({ a: '1' })
    await change(plane.projectSecrets, mine, ({ metadata }) => delete metadata.annotations)
    await waitUntil(() => newest().metadata.finalizers === undefined)
    expect([newest().metadata.annotations, condition()]).to.deep.equal([undefined, undefined])
    await set({ a: base64('2') })
    interval()
    expect([await operator.get(path), dataHere()]).to.deep.equal([{ a: '1' }, { a: base64('2') }])
  })

  it('binary values and invalid UTF-8 are kept exactly', async () => {
    const bytes = Buffer.from([0, 255, 128]).toString('base64')
    await operator.put(path, { port: 5432, deep: { a: [1] } })
    await create(plane.projectSecrets, synced({ raw: bytes }))
    await storeHas({ deep: { a: [1] }, port: 5432, raw: { base64: bytes } })
    await hereIs({ deep: base64('{"a":[1]}'), port: base64('5432'), raw: bytes })
  })

  it('shared secrets are synced too', async () => {
    await operator.put(path, { a: '1' })
    await create(plane.sharedSecrets, sharedSecret({}, { annotations: annotations() }))
    const token = { namespace: 'shared', name: 'token' }
    await waitUntil(
      () =>
        JSON.stringify(plane.sharedSecrets.newest(token).object['spec']) ===
        '{"data":{"a":"MQ=="}}',
    )
  })

  it('a settled secret is written on neither side', async () => {
    await begin({ a: '1' })
    const before = [plane.stores.storage.revision, await operator.version(path)]
    for (let turn = 0; turn < 3; turn++) {
      interval()
      await waitUntil(() => true)
    }
    await new Promise((resolve) => setImmediate(resolve))
    expect([plane.stores.storage.revision, await operator.version(path)]).to.deep.equal(before)
  })

  it('a key invalid here is refused and reported; the local data stays', async () => {
    await begin({ a: '1' })
    await operator.put(path, { 'not a key': '1' })
    interval()
    await waitUntil(() => condition()?.['reason'] === 'Invalid')
    expect(dataHere()).to.deep.equal({ a: base64('1') })
  })

  it('a missing mount is reported; the local data stays', async () => {
    const wrong = { ...annotations(), 'platform/secretStore-kv-mount-path': 'missing' }
    await create(plane.projectSecrets, projectSecret({ a: 'MQ==' }, { annotations: wrong }))
    await waitUntil(() => condition()?.['reason'] === 'Refused')
    expect(condition()?.['message']).to.match(/the secret store answers 404: no handler/)
    expect(dataHere()).to.deep.equal({ a: 'MQ==' })
  })

  it('a wrong token is reported, and a right one used at once', async () => {
    plane.sync?.update(settingsFor(operator.address, 'wrong'))
    await create(plane.projectSecrets, synced({ a: base64('1') }))
    await waitUntil(() => condition()?.['reason'] === 'Forbidden')
    plane.sync?.update(settingsFor(operator.address, operator.token))
    await storeHas({ a: '1' })
    await isReady()
  })

  it('naming a path requires the right to use it: 403', async () => {
    const jane = userContext('jane', 'u')
    const { code, message } = await refusal(create(plane.projectSecrets, synced({}), jane))
    expect([code, message]).to.deep.equal([
      403,
      `projectsecrets.management.platform "mine" is forbidden: User "jane" cannot use resource "secretstorepaths" in API group "management.platform" in the namespace "p-one", so the object may not be synced with "secret/${path}"`,
    ])
    plane.rights.add(`jane use p-one/secret/${path}`)
    await create(plane.projectSecrets, synced({ a: base64('1') }), jane)
    await storeHas({ a: '1' })
    plane.rights.clear()
    const moved = { ...annotations(), 'platform/secretStore-kv-secret-path': 'admin/root' }
    const object = projectSecret({}, { annotations: moved })
    expect((await refusal(put(plane.projectSecrets, object, jane))).code).to.equal(403)
  })
}
