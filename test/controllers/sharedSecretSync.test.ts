import { expect } from 'chai'
import type { ApiObject } from '../../apiserver/meta/types.ts'
import type { Store } from '../../apiserver/registry/store.ts'
import type { RequestContext } from '../../apiserver/registry/strategy.ts'
import { systemContext } from '../../apiserver/registry/systemContext.ts'
import { clientContext } from '../support/contexts.ts'
import { eventually, turns, untilTimer } from '../support/eventually.ts'
import { refusal } from '../support/refusal.ts'
import {
  coreSecret,
  projectSecret,
  SecretPlane,
  sharedSecret,
  takesToken,
  userContext,
} from '../support/secretPlane.ts'
import { change, create, nameOf, put } from '../support/stores.ts'

const mine = { namespace: 'p-one', name: 'mine' }
const token = { namespace: 'shared', name: 'token' }

describe('SharedSecretSync', () => {
  let plane: SecretPlane
  let jane: RequestContext

  beforeEach(async () => {
    plane = await SecretPlane.open()
    const user = await create(plane.users, {
      kind: 'User',
      apiVersion: 'management.platform/v1',
      metadata: { name: 'jane' },
    })
    jane = userContext('jane', user.metadata.uid ?? '')
    await plane.start()
  })

  afterEach(() => plane.close())

  const newest = (store: Store, name = mine): ApiObject => store.newest(name).object
  const settled = () => turns(20)

  interface Form {
    kind: string
    store: () => Store
    make: typeof projectSecret
    data: (object: ApiObject) => unknown
    conditions: (object: ApiObject) => Record<string, string>[]
  }
  const forms: Form[] = [
    {
      kind: 'a project secret',
      store: () => plane.projectSecrets,
      make: projectSecret,
      data: (object) => (object['spec'] as { data?: unknown }).data ?? {},
      conditions: (object) =>
        (object['status'] as { conditions?: Record<string, string>[] }).conditions ?? [],
    },
    {
      kind: 'a core secret',
      store: () => plane.secrets,
      make: coreSecret,
      data: (object) => object['data'] ?? {},
      conditions: ({ metadata }) =>
        JSON.parse(metadata.annotations?.['platform/sharedsecret-conditions'] ?? '[]') as Record<
          string,
          string
        >[],
    },
  ]
  for (const form of forms) {
    const dataOf = () => form.data(newest(form.store()))
    const has = (data: Record<string, string>) =>
      eventually(plane.stores.clock, () => JSON.stringify(dataOf()) === JSON.stringify(data))
    const condition = () => {
      const { type, status, reason } = form.conditions(newest(form.store()))[0] ?? {}
      return { type, status, reason }
    }
    const take = (data: Record<string, string> = {}, context: RequestContext = clientContext()) =>
      create(form.store(), form.make(data, takesToken), context)

    describe(form.kind, () => {
      it('copies the data of the shared secret named by its labels (spec service.secretSync)', async () => {
        await create(plane.sharedSecrets, sharedSecret({ a: 'YQ==' }))
        await take({ old: '' })
        await has({ a: 'YQ==' })
        expect(condition()).to.deep.equal({ type: 'Ready', status: 'True', reason: 'Synced' })
      })

      it('copies the data of a shared secret created later', async () => {
        await take({ own: 'YQ==' })
        await settled()
        expect([dataOf(), condition()]).to.deep.equal([
          { own: 'YQ==' },
          { type: 'Ready', status: 'False', reason: 'NotFound' },
        ])
        await create(plane.sharedSecrets, sharedSecret({ a: 'YQ==' }))
        await has({ a: 'YQ==' })
      })

      it('follows changes, and reverts its own changes', async () => {
        await create(plane.sharedSecrets, sharedSecret({ a: 'YQ==' }))
        await take()
        await has({ a: 'YQ==' })
        await put(plane.sharedSecrets, sharedSecret({ b: 'Yg==' }))
        await has({ b: 'Yg==' })
        await put(form.store(), form.make({ c: '' }, takesToken))
        await has({ b: 'Yg==' })
      })

      it('loses the data when the shared secret is deleted, and gets it when one is created again', async () => {
        await create(plane.sharedSecrets, sharedSecret({ a: 'YQ==' }))
        await take()
        await has({ a: 'YQ==' })
        await plane.sharedSecrets.delete(token, {}, systemContext())
        await has({})
        expect(condition()).to.deep.equal({ type: 'Ready', status: 'False', reason: 'NotFound' })
        await create(plane.sharedSecrets, sharedSecret({ n: 'bg==' }))
        await has({ n: 'bg==' })
      })

      it("keeps the data, without the server's annotations, when the labels are removed", async () => {
        await create(plane.sharedSecrets, sharedSecret({ a: 'YQ==' }))
        await take()
        await has({ a: 'YQ==' })
        await change(form.store(), mine, ({ metadata }) => delete metadata.labels)
        await put(plane.sharedSecrets, sharedSecret({ b: 'Yg==' }))
        await settled()
        const left = newest(form.store())
        expect([dataOf(), left.metadata.annotations, form.conditions(left)]).to.deep.equal([
          { a: 'YQ==' },
          undefined,
          [],
        ])
      })

      it('is written once per change', async () => {
        await create(plane.sharedSecrets, sharedSecret({ a: 'YQ==' }))
        await take()
        await has({ a: 'YQ==' })
        await settled()
        const before = plane.stores.storage.revision
        await untilTimer(plane.stores.clock, 5_000)
        expect(plane.stores.storage.revision).to.equal(before)
        await put(plane.sharedSecrets, sharedSecret({ b: 'Yg==' }))
        await has({ b: 'Yg==' })
        await settled()
        plane.stores.clock.advance(300_000)
        await settled()
        expect(plane.stores.storage.revision).to.equal(before + 2)
      })

      it('continues after a restart', async () => {
        await create(plane.sharedSecrets, sharedSecret({ a: 'YQ==' }))
        plane.sync?.stop()
        await take()
        await settled()
        expect(dataOf()).to.deep.equal({})
        await plane.start()
        await has({ a: 'YQ==' })
      })

      it('copies nothing that its user may not read: 403', async () => {
        await create(plane.sharedSecrets, sharedSecret({ a: 'YQ==' }))
        const { code, reason, message } = await refusal(take({}, jane))
        const { resource } = form.store()
        const what = resource.group === '' ? 'secrets' : `${resource.plural}.${resource.group}`
        expect({ code, reason, message }).to.deep.equal({
          code: 403,
          reason: 'Forbidden',
          message: `${what} "mine" is forbidden: User "jane" cannot get or use resource "sharedsecrets" in API group "management.platform" in the namespace "shared", so the object may not take over "token"`,
        })
        await create(form.store(), form.make({}), jane)
        const relabelled = await refusal(put(form.store(), form.make({}, takesToken), jane))
        expect(relabelled.code).to.equal(403)
      })

      for (const verb of ['get', 'use']) {
        it(`copies if its user may ${verb}`, async () => {
          plane.rights.add(`jane ${verb} shared/token`)
          await create(plane.sharedSecrets, sharedSecret({ a: 'YQ==' }))
          await take({}, jane)
          await has({ a: 'YQ==' })
        })
      }

      it('gets no updates after the right is lost, and does again once it is back', async () => {
        plane.rights.add('jane get shared/token')
        await create(plane.sharedSecrets, sharedSecret({ a: 'YQ==' }))
        await take({}, jane)
        await has({ a: 'YQ==' })
        plane.rights.clear()
        await put(plane.sharedSecrets, sharedSecret({ secret: 'Yg==' }))
        await settled()
        expect([dataOf(), condition()]).to.deep.equal([
          { a: 'YQ==' },
          { type: 'Ready', status: 'False', reason: 'Forbidden' },
        ])
        plane.rights.add('jane use shared/token')
        plane.stores.clock.advance(60_000)
        await has({ secret: 'Yg==' })
      })

      it('gets nothing by the right of a disabled user, or of another user of the same name', async () => {
        plane.rights.add('jane *')
        await create(plane.sharedSecrets, sharedSecret({ a: 'YQ==' }))
        await take({}, jane)
        await has({ a: 'YQ==' })
        const user = newest(plane.users, { namespace: '', name: 'jane' })
        await put(plane.users, { ...user, spec: { disabled: true } })
        await put(plane.sharedSecrets, sharedSecret({ b: 'Yg==' }))
        await settled()
        expect(condition().reason).to.equal('Forbidden')
        await plane.users.delete({ namespace: '', name: 'jane' }, {}, systemContext())
        const { kind, apiVersion } = user
        await create(plane.users, { kind, apiVersion, metadata: { name: 'jane' } })
        await put(plane.sharedSecrets, sharedSecret({ c: 'Yw==' }))
        plane.stores.clock.advance(60_000)
        await settled()
        expect([dataOf(), condition().reason]).to.deep.equal([{ a: 'YQ==' }, 'Forbidden'])
      })

      it('loses the data with the shared secret, even without the right to read it', async () => {
        plane.rights.add('jane *')
        await create(plane.sharedSecrets, sharedSecret({ a: 'YQ==' }))
        await take({}, jane)
        await has({ a: 'YQ==' })
        plane.rights.clear()
        await plane.sharedSecrets.delete(token, {}, systemContext())
        await has({})
      })

      it("cannot claim another user's right by an annotation", async () => {
        plane.rights.add('jane *')
        await create(plane.sharedSecrets, sharedSecret({ a: 'YQ==' }))
        await take({}, jane)
        await has({ a: 'YQ==' })
        const { annotations } = newest(form.store()).metadata
        const admin = JSON.stringify({ name: 'x', uid: '', groups: ['system:masters'] })
        const forged = {
          'platform/sharedsecret-grantor': admin,
          'platform/sharedsecret-uid': 'other',
        }
        await put(form.store(), form.make({}, { ...takesToken, annotations: forged }), jane)
        await has({ a: 'YQ==' })
        expect(newest(form.store()).metadata.annotations).to.deep.equal(annotations)
        await create(form.store(), form.make({}, { name: 'other', annotations: forged }), jane)
        const other = newest(form.store(), { ...mine, name: 'other' })
        expect(other.metadata.annotations).to.equal(undefined)
      })

      it('may be written by users who may not read the shared secret, if the labels stay', async () => {
        await create(plane.sharedSecrets, sharedSecret({ a: 'YQ==' }))
        await take()
        await has({ a: 'YQ==' })
        const { spec: _, data: __, ...rest } = newest(form.store())
        const metadata = { ...rest.metadata, annotations: { note: 'x' } }
        const written = await put(form.store(), { ...newest(form.store()), metadata }, jane)
        expect(written.metadata.annotations).to.include({ note: 'x' })
        expect(nameOf(written)).to.deep.equal(mine)
      })
    })
  }

  it('a core secret keeps the required keys of its type, empty, when the shared secret is gone', async () => {
    await create(plane.sharedSecrets, sharedSecret({ 'tls.crt': 'e30=', 'tls.key': 'e30=' }))
    const typed = {
      ...coreSecret({ 'tls.crt': '', 'tls.key': '' }, takesToken),
      type: 'kubernetes.io/tls',
    }
    await create(plane.secrets, typed)
    const is = (value: string) => () =>
      JSON.stringify(newest(plane.secrets)['data']) ===
      JSON.stringify({ 'tls.crt': value, 'tls.key': value })
    await eventually(plane.stores.clock, is('e30='))
    await put(plane.sharedSecrets, sharedSecret({ other: 'e30=' }))
    await settled()
    expect(is('e30=')()).to.equal(true)
    const conditions = newest(plane.secrets).metadata.annotations?.[
      'platform/sharedsecret-conditions'
    ]
    expect(JSON.parse(conditions ?? '')).to.deep.equal([
      {
        type: 'Ready',
        status: 'False',
        severity: 'Error',
        lastTransitionTime: '2030-01-01T00:00:00Z',
        reason: 'Invalid',
        message:
          'Secret "mine" is invalid: [data[tls.crt]: Required value, data[tls.key]: Required value]',
      },
    ])
    await plane.sharedSecrets.delete(token, {}, systemContext())
    await eventually(plane.stores.clock, is(''))
  })

  it('an immutable core secret stays unchanged, which is reported once', async () => {
    await create(plane.sharedSecrets, sharedSecret({ a: 'YQ==' }))
    await create(plane.secrets, { ...coreSecret({ b: '' }, takesToken), immutable: true })
    await settled()
    const before = plane.stores.storage.revision
    plane.stores.clock.advance(300_000)
    await settled()
    expect([newest(plane.secrets)['data'], plane.stores.storage.revision]).to.deep.equal([
      { b: '' },
      before,
    ])
  })

  it("the namespace label defaults to the secret's own namespace", async () => {
    await create(plane.sharedSecrets, sharedSecret({ a: 'YQ==' }, { namespace: 'p-one' }))
    const labels = { 'platform/sharedsecret-name': 'token' }
    await create(plane.projectSecrets, projectSecret({}, { labels }))
    await settled()
    expect(newest(plane.projectSecrets)['spec']).to.deep.equal({ data: { a: 'YQ==' } })
  })

  it('updates a hundred objects, and leaves no timer behind', async () => {
    const timers = plane.stores.clock.timers
    const names = Array.from({ length: 100 }, (_, at) => `n${at}`)
    await create(plane.sharedSecrets, sharedSecret({ a: 'YQ==' }))
    const make = (name: string) =>
      create(plane.projectSecrets, projectSecret({}, { ...takesToken, name }))
    await Promise.all(names.map(make))
    await put(plane.sharedSecrets, sharedSecret({ b: 'Yg==' }))
    await eventually(plane.stores.clock, () =>
      names.every((name) => {
        const { spec } = newest(plane.projectSecrets, { ...mine, name })
        return JSON.stringify(spec) === '{"data":{"b":"Yg=="}}'
      }),
    )
    await settled()
    plane.sync?.stop()
    expect([plane.stores.clock.timers, plane.reports]).to.deep.equal([timers, []])
  })
})
