import { expect } from 'chai'
import type { ApiObject } from '../../../apiserver/meta/types.ts'
import type { PlaneResource } from '../../../syncer/client/planeClient.ts'
import { readSyncConfig } from '../../../syncer/config/syncConfig.ts'
import { ReferenceSync } from '../../../syncer/engine/referenceSync.ts'
import { markers } from '../../../syncer/names/markers.ts'
import { namingOf } from '../../../syncer/names/naming.ts'
import { FakePlane } from './fakePlane.ts'

const secrets: PlaneResource = {
  ...{ apiVersion: 'v1', kind: 'Secret', plural: 'secrets', namespaced: true },
}
const services: PlaneResource = { ...secrets, kind: 'Service', plural: 'services' }
const things: PlaneResource = {
  ...secrets,
  apiVersion: 'example.com/v1',
  kind: 'Thing',
  plural: 'things',
}
const hostNamespaces: PlaneResource = {
  ...{ apiVersion: 'v1', kind: 'Namespace', plural: 'namespaces', namespaced: false },
}
const noFaults = { chance: () => 1, rate: 0 }
const mark = (name: string) => `vcluster.platform/${name}`
const several = { enabled: true, mappings: { byName: { default: 'mapped' } } }
const place = (namespace: string, name: string) => ({ namespace, name })

const modes: {
  mode: string
  namespaces: object
  /** Place of the virtual `default/my-secret` on the host. */
  host: { namespace: string; name: string }
  /** Place of the virtual `default/my-thing`, of a custom kind. */
  thing: { namespace: string; name: string }
}[] = [
  {
    mode: 'one namespace',
    namespaces: {},
    host: place('team-x', 'my-secret-x-default-x-my-vcluster'),
    thing: place('team-x', 'v5ri45ovgqam9c'),
  },
  {
    mode: 'several namespaces',
    namespaces: several,
    host: place('mapped', 'my-secret'),
    thing: place('mapped', 'my-secret'),
  },
]

for (const { mode, namespaces, host: hostPlace, thing } of modes) {
  describe(`ReferenceSync, ${mode}`, () => {
    let virtual: FakePlane
    let host: FakePlane

    beforeEach(() => {
      virtual = new FakePlane(noFaults, { serves: [secrets, services, things] })
      host = new FakePlane(noFaults, { serves: [secrets, services, things] })
    })

    function sync(toHost: object = {}): ReferenceSync {
      const config = readSyncConfig({ sync: { toHost: { namespaces, ...toHost } } })
      const naming = namingOf({
        virtualCluster: 'my-vcluster',
        hostNamespace: 'team-x',
        namespaces: config.namespaces,
      })
      const translation = { naming, marks: markers('platform') }
      return new ReferenceSync({ virtual, host, config, translation, syncedKinds: ['Service'] })
    }

    const own = place('default', 'my-secret')
    const toSecret = { apiVersion: 'v1', kind: 'Secret', ...own }
    const toThing = { apiVersion: 'example.com/v1', kind: 'Thing', ...own }
    const secret = (data: string, metadata: ApiObject['metadata'] = {}): ApiObject => ({
      ...{ apiVersion: 'v1', kind: 'Secret', metadata, data: { data } },
    })
    const all = (plane: FakePlane) =>
      plane
        .all(secrets)
        .map(({ metadata: { name, namespace }, data }) => ({ name, namespace, data }))

    it('a built-in kind is named as on the host (spec sync.patches.reference.names)', async () => {
      expect(await sync().toHost(toSecret)).to.deep.equal(hostPlace)
    })

    it('a custom kind has the short name, or its own (spec sync.patches.reference.names)', async () => {
      expect(await sync().toHost(toThing)).to.deep.equal(thing)
    })

    it('a virtual object is copied to the host, with the markers (spec sync.patches.reference.import)', async () => {
      const { metadata } = virtual.put(secrets, own, secret('virtual', { labels: { app: 'db' } }))
      await sync().toHost(toSecret)
      const copy = host.peek(secrets, hostPlace)
      expect(copy?.data).to.deep.equal({ data: 'virtual' })
      expect(copy?.metadata.labels).to.deep.equal({
        app: 'db',
        [mark('managed-by')]: 'my-vcluster',
        [mark('namespace')]: 'default',
      })
      expect(copy?.metadata.annotations).to.deep.equal({
        [mark('object-name')]: 'my-secret',
        [mark('object-namespace')]: 'default',
        [mark('object-uid')]: metadata.uid,
        [mark('object-kind')]: '/v1, Kind=Secret',
        [mark('object-host-name')]: hostPlace.name,
        [mark('object-host-namespace')]: hostPlace.namespace,
        [mark('managed-labels')]: 'app',
      })
    })

    it('the copy follows the virtual object (spec sync.patches.reference.import)', async () => {
      virtual.put(secrets, own, secret('before'))
      await sync().toHost(toSecret)
      virtual.put(secrets, own, secret('after'))
      await sync().toHost(toSecret)
      expect(all(host)).to.deep.equal([{ ...hostPlace, data: { data: 'after' } }])
    })

    const notCopied: [
      name: string,
      toHost: object,
      reference: typeof toSecret,
      resource: PlaneResource,
    ][] = [
      ['whose kind is switched off', { secrets: { enabled: false } }, toSecret, secrets],
      ['whose kind is not synced', {}, toThing, things],
      ['that is synced by itself', {}, { apiVersion: 'v1', kind: 'Service', ...own }, services],
    ]
    for (const [name, toHost, reference, resource] of notCopied) {
      it(`one ${name} is named, and not copied (spec sync.patches.reference.import)`, async () => {
        const { apiVersion, kind } = resource
        virtual.put(resource, own, { apiVersion, kind, metadata: {} })
        expect(await sync(toHost).toHost(reference)).not.to.equal(undefined)
        expect(host.all(resource)).to.deep.equal([])
      })
    }

    it('a custom kind with sync enabled is copied', async () => {
      virtual.put(things, own, { apiVersion: 'example.com/v1', kind: 'Thing', metadata: {} })
      await sync({ things: { enabled: true } }).toHost(toThing)
      expect(host.peek(things, thing)).not.to.equal(undefined)
    })

    it("another owner's object on the host is left unchanged", async () => {
      virtual.put(secrets, own, secret('virtual'))
      host.put(secrets, hostPlace, secret('foreign'))
      await sync().toHost(toSecret)
      expect(all(host)).to.deep.equal([{ ...hostPlace, data: { data: 'foreign' } }])
    })

    it('an object of that name on the host only is imported (spec sync.patches.reference.import)', async () => {
      host.put(secrets, hostPlace, secret('host', { labels: { app: 'db' } }))
      expect(await sync().toHost(toSecret)).to.deep.equal(hostPlace)
      const imported = virtual.peek(secrets, own)
      expect([
        imported?.data,
        imported?.metadata.labels,
        imported?.metadata.annotations,
      ]).to.deep.equal([
        { data: 'host' },
        { app: 'db' },
        { [mark('imported-from')]: `${hostPlace.namespace}/${hostPlace.name}` },
      ])
    })

    it('a missing object is named and created nowhere', async () => {
      expect(await sync().toHost(toSecret)).to.deep.equal(hostPlace)
      expect([all(virtual), all(host)]).to.deep.equal([[], []])
    })

    it('a namespace of another owner is neither read nor written', async () => {
      const room = {
        ...{ apiVersion: 'v1', kind: 'Namespace' },
        metadata: { name: 'room', annotations: { 'platform/space-uid': 'u' } },
      }
      host.put(hostNamespaces, place('', 'room'), room)
      const theirs = place('room', 'host-secret')
      host.put(secrets, theirs, secret('theirs'))
      const back = { apiVersion: 'v1', kind: 'Secret', ...theirs }
      expect(await sync().toVirtual(back, 'default')).to.equal(undefined)
      if (mode === 'several namespaces') {
        const byName = { default: 'mapped', spy: 'room' }
        const mapped = sync({ namespaces: { ...several, mappings: { byName } } })
        const reference = { ...back, namespace: 'spy' }
        const error: unknown = await mapped.toHost(reference).catch((failure: unknown) => failure)
        expect(error).to.include({ name: 'PlaneError', code: 403 })
        expect(await mapped.toVirtual(back, 'default')).to.equal(undefined)
      }
      expect(all(virtual)).to.deep.equal([])
      expect(all(host)).to.deep.equal([{ ...theirs, data: { data: 'theirs' } }])
    })

    it('nothing is imported from a namespace that is not a sync target', async () => {
      const elsewhere = place('kube-system', 'host-secret')
      host.put(secrets, elsewhere, secret('theirs'))
      const back = { apiVersion: 'v1', kind: 'Secret', ...elsewhere }
      expect(await sync().toVirtual(back, 'default')).to.equal(undefined)
      expect(all(virtual)).to.deep.equal([])
    })

    describe('back', () => {
      const there = place(hostPlace.namespace, 'host-secret')
      const fromHost = { apiVersion: 'v1', kind: 'Secret', ...there }

      it("the copy of a virtual object gets that object's name (facts 6.6)", async () => {
        virtual.put(secrets, own, secret('virtual'))
        await sync().toHost(toSecret)
        const copied = { apiVersion: 'v1', kind: 'Secret', ...hostPlace }
        expect(await sync().toVirtual(copied, 'default')).to.deep.equal(own)
        expect(all(virtual).length).to.equal(1)
      })

      it('an object on the host only is imported (spec sync.patches.reference.import)', async () => {
        host.put(secrets, there, secret('host'))
        const name = place('default', 'host-secret')
        expect(await sync().toVirtual(fromHost, 'default')).to.deep.equal(name)
        expect(all(virtual)).to.deep.equal([{ ...name, data: { data: 'host' } }])
      })

      it('an imported object keeps its host name', async () => {
        host.put(secrets, there, secret('host'))
        const references = sync()
        const name = await references.toVirtual(fromHost, 'default')
        const again = { apiVersion: 'v1', kind: 'Secret', ...(name ?? own) }
        expect(await references.toHost(again)).to.deep.equal(there)
        expect(all(host)).to.deep.equal([{ ...there, data: { data: 'host' } }])
      })

      it('an existing virtual object is not overwritten', async () => {
        const name = place('default', 'host-secret')
        virtual.put(secrets, name, secret('virtual'))
        host.put(secrets, there, secret('host'))
        await sync().toVirtual(fromHost, 'default')
        expect(all(virtual)).to.deep.equal([{ ...name, data: { data: 'virtual' } }])
      })

      it('an object missing on the host keeps its name', async () => {
        expect(await sync().toVirtual(fromHost, 'default')).to.equal(undefined)
      })
    })
  })
}
