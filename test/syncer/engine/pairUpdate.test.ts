import { expect } from 'chai'
import type { ApiObject } from '../../../apiserver/meta/types.ts'
import type { PatchRule } from '../../../syncer/config/patchRule.ts'
import { readSyncConfig } from '../../../syncer/config/syncConfig.ts'
import { hostDocument, type KindTranslation } from '../../../syncer/engine/hostDocument.ts'
import { updatePair } from '../../../syncer/engine/pairUpdate.ts'
import type { SandboxRuntime } from '../../../syncer/expressions/sandboxRuntime.ts'
import { markers } from '../../../syncer/names/markers.ts'
import { endpointsRules } from '../../../syncer/rules/endpointsRules.ts'
import type { Pair } from '../../../syncer/rules/kindRules.ts'
import { sandbox } from '../sandbox.ts'

const naming = { virtualCluster: 'my-vcluster', hostNamespace: 'team-x' }
const place = { name: 'db-x-default-x-my-vcluster', namespace: 'team-x' }
type Texts = Record<string, string>

interface Parts {
  annotations?: Texts
  labels?: Texts
  subsets?: unknown[]
}

function virtualOf({ annotations, labels, subsets }: Parts): ApiObject {
  const texts = { ...(annotations && { annotations }), ...(labels && { labels }) }
  const metadata = { name: 'db', namespace: 'default', uid: 'u1', ...texts }
  return { apiVersion: 'v1', kind: 'Endpoints', metadata, ...(subsets && { subsets }) }
}

describe('updatePair', function () {
  this.timeout(20_000)
  let runtime: SandboxRuntime
  before(() => (runtime = sandbox()))
  after(() => runtime.close())

  const kindOf = (patches: PatchRule[]): KindTranslation => ({
    rules: endpointsRules,
    patches,
    translation: { naming, marks: markers('platform') },
    config: readSyncConfig({ sync: { toHost: { endpoints: { patches } } } }),
    runtime,
    references: {
      toHost: ({ name }) => Promise.resolve({ name, namespace: 'team-x' }),
      toVirtual: ({ name }) => Promise.resolve({ name, namespace: 'default' }),
    },
    missingExpression: 'keep',
  })

  /** Agreed state of a pair, created from the virtual object alone. */
  async function agreed(parts: Parts, kind: KindTranslation): Promise<NonNullable<Pair['base']>> {
    const virtual = virtualOf(parts)
    return { virtual, host: await hostDocument(virtual, place, kind) }
  }

  const own = (object: ApiObject) => {
    const kept = (texts: Texts = {}) =>
      Object.fromEntries(Object.entries(texts).filter(([key]) => !key.startsWith('vcluster.')))
    const { annotations, labels } = object.metadata
    return { annotations: kept(annotations), labels: kept(labels) }
  }

  const prefix = {
    path: 'metadata.annotations[*]',
    expression: '"p-" + value',
    reverseExpression: 'value.slice(2)',
  }

  interface Case {
    name: string
    patches?: PatchRule[]
    before: Parts
    /** Later changes of the two sides. */
    virtual?: Parts
    host?: { annotations?: Texts; labels?: Texts }
    want: { virtual: object; host: object }
  }
  const cases: Case[] = [
    {
      name: 'two-way: an annotation that changed inside goes to the host (facts 6.9)',
      before: { annotations: { a: '1' } },
      virtual: { annotations: { a: '2' } },
      want: {
        virtual: { annotations: { a: '2' }, labels: {} },
        host: { annotations: { a: '2' }, labels: {} },
      },
    },
    {
      name: 'two-way: one that changed on the host goes inside (facts 6.9)',
      before: { annotations: { a: '1' } },
      host: { annotations: { a: '2', b: '3' } },
      want: {
        virtual: { annotations: { a: '2', b: '3' }, labels: {} },
        host: { annotations: { a: '2', b: '3' }, labels: {} },
      },
    },
    {
      name: 'two-way: the virtual side wins where both changed, the host elsewhere (facts 6.9)',
      before: { annotations: { a: '1', b: '1' } },
      virtual: { annotations: { a: 'virtual', b: '1' } },
      host: { annotations: { a: 'host', b: 'host' } },
      want: {
        virtual: { annotations: { a: 'virtual', b: 'host' }, labels: {} },
        host: { annotations: { a: 'virtual', b: 'host' }, labels: {} },
      },
    },
    {
      name: 'two-way: what one side removed is removed on the other (facts 6.9)',
      before: { annotations: { a: '1', b: '1' }, labels: { x: '1', y: '1' } },
      virtual: { annotations: { b: '1' }, labels: { y: '1' } },
      host: { annotations: { a: '1' }, labels: { x: '1' } },
      want: { virtual: { annotations: {}, labels: {} }, host: { annotations: {}, labels: {} } },
    },
    {
      name: 'labels go both ways, translated where they must be (facts 6.8)',
      before: { labels: { release: 'one' } },
      virtual: { labels: { release: 'two', app: 'db' } },
      host: {
        labels: { fresh: 'host', 'vcluster.platform/label-my-vcluster-x-a4d451ec23': 'one' },
      },
      want: {
        virtual: { annotations: {}, labels: { release: 'two', app: 'db', fresh: 'host' } },
        host: { annotations: {}, labels: { app: 'db', fresh: 'host' } },
      },
    },
    {
      name: 'the leader annotation is copied in neither direction (facts 6.9)',
      before: {},
      virtual: { annotations: { 'control-plane.alpha.kubernetes.io/leader': 'virtual' } },
      host: { annotations: { 'control-plane.alpha.kubernetes.io/leader': 'host' } },
      want: {
        virtual: {
          annotations: { 'control-plane.alpha.kubernetes.io/leader': 'virtual' },
          labels: {},
        },
        host: { annotations: { 'control-plane.alpha.kubernetes.io/leader': 'host' }, labels: {} },
      },
    },
    {
      name: 'expressions on the way to the host, the reverse ones on the way back (facts 6.4)',
      patches: [prefix],
      before: { annotations: { a: '1', b: '1' } },
      virtual: { annotations: { a: '2', b: '1' } },
      host: { annotations: { a: 'p-1', b: 'p-3' } },
      want: {
        virtual: { annotations: { a: '2', b: '3' }, labels: {} },
        host: { annotations: { a: 'p-2', b: 'p-3' }, labels: {} },
      },
    },
    {
      name: 'what did not change is not visited (facts 6.4)',
      patches: [{ path: 'metadata.annotations[*]', expression: 'value + "!"' }],
      before: { annotations: { a: '1', b: '1' } },
      virtual: { annotations: { a: '2', b: '1' } },
      host: { annotations: { a: '1!', b: '1!' } },
      want: {
        virtual: { annotations: { a: '2', b: '1' }, labels: {} },
        host: { annotations: { a: '2!', b: '1!' }, labels: {} },
      },
    },
    {
      name: 'the virtual object is patched first: an expression sees it as it was before (facts 6.4)',
      patches: [
        {
          path: 'metadata.annotations[*]',
          expression: 'value + context.virtualObject.metadata.annotations.a',
          reverseExpression: 'value + context.hostObject.metadata.annotations.b',
        },
      ],
      before: { annotations: { a: '1', b: '1' } },
      virtual: { annotations: { a: '2', b: '1' } },
      host: { annotations: { a: '11', b: 'x' } },
      want: {
        virtual: { annotations: { a: '2', b: 'xx' }, labels: {} },
        host: { annotations: { a: '22', b: 'x' }, labels: {} },
      },
    },
    {
      name: 'patches of a list run in its order (facts 6.4)',
      patches: [
        { path: 'metadata.annotations.a', expression: 'value + "-first"' },
        { path: 'metadata.annotations["a"]', expression: 'value + "-second"' },
      ],
      before: { annotations: { a: '1' } },
      virtual: { annotations: { a: '2' } },
      host: {},
      want: {
        virtual: { annotations: { a: '2' }, labels: {} },
        host: { annotations: { a: '2-first-second' }, labels: {} },
      },
    },
    {
      name: 'a result of null removes the field (facts 6.4)',
      patches: [{ path: 'metadata.annotations.a', expression: 'value === "2" ? null : value' }],
      before: { annotations: { a: '1', b: '1' } },
      virtual: { annotations: { a: '2', b: '1' } },
      host: {},
      want: {
        virtual: { annotations: { a: '2', b: '1' }, labels: {} },
        host: { annotations: { b: '1' }, labels: {} },
      },
    },
    {
      name: 'a missing path never applies (spec sync.patches.path)',
      patches: [{ path: 'metadata.annotations.absent', expression: '"made"' }],
      before: { annotations: { a: '1' } },
      virtual: { annotations: { a: '2' } },
      host: {},
      want: {
        virtual: { annotations: { a: '2' }, labels: {} },
        host: { annotations: { a: '2' }, labels: {} },
      },
    },
    {
      name: 'of metadata a patch changes annotations, labels and finalizers alone, and no marker (facts 6.4)',
      patches: [
        {
          path: '',
          expression:
            '({ metadata: { name: "other", namespace: "other", uid: "x", annotations: { "vcluster.platform/object-name": "x", added: "y" } } })',
        },
      ],
      before: { annotations: { a: '1' } },
      virtual: { annotations: { a: '2' } },
      host: {},
      want: {
        virtual: { annotations: { a: '2' }, labels: {} },
        host: { annotations: { a: '2', added: 'y' }, labels: {} },
      },
    },
  ]
  for (const { name, patches = [], before, virtual, host, want } of cases) {
    it(name, async () => {
      const kind = kindOf(patches)
      const base = await agreed(before, kind)
      const hostTexts = (field: 'annotations' | 'labels') => {
        const given = host?.[field]
        const marks = Object.entries(base.host.metadata[field] ?? {}).filter(([key]) =>
          /^vcluster\.platform\/(?!label-)/.test(key),
        )
        return given === undefined
          ? base.host.metadata[field]
          : { ...Object.fromEntries(marks), ...given }
      }
      const metadata = {
        ...base.host.metadata,
        annotations: hostTexts('annotations') ?? {},
        labels: hostTexts('labels') ?? {},
      }
      const now = virtual === undefined ? base.virtual : virtualOf(virtual)
      const pair = { virtual: now, host: { ...base.host, metadata }, base }
      const updated = await updatePair(pair, kind)
      expect({ virtual: own(updated.virtual), host: own(updated.host) }).to.deep.equal(want)
      expect(updated.host.metadata).to.deep.include(place)
      const { annotations } = updated.host.metadata
      expect(annotations?.['vcluster.platform/object-name']).to.equal('db')
    })
  }

  const one = [{ addresses: [{ ip: '10.0.0.1' }, { ip: '10.0.0.2' }], ports: [{ port: 1 }] }]
  const two = [{ addresses: [{ ip: '10.0.0.1' }, { ip: '10.0.0.3' }], ports: [{ port: 1 }] }]
  const ofIps = { path: 'subsets[*].addresses[*].ip', expression: '"x" + value' }

  it('lists are patched as a whole: each address of changed subsets (facts 6.4)', async () => {
    const kind = kindOf([ofIps])
    const base = await agreed({ subsets: one }, kind)
    const pair = { ...base, virtual: virtualOf({ subsets: two }), base }
    expect((await updatePair(pair, kind)).host.subsets).to.deep.equal([
      { addresses: [{ ip: 'x10.0.0.1' }, { ip: 'x10.0.0.3' }], ports: [{ port: 1 }] },
    ])
  })

  it('subsets are not patched if only annotations changed (facts 6.4)', async () => {
    const kind = kindOf([ofIps])
    const base = await agreed({ subsets: one }, kind)
    const pair = { ...base, virtual: virtualOf({ subsets: one, annotations: { a: '1' } }), base }
    const updated = await updatePair(pair, kind)
    expect(updated.host.subsets).to.deep.equal(base.host.subsets)
    expect(own(updated.host).annotations).to.deep.equal({ a: '1' })
  })

  it('a failing expression fails the update, and names its patch (facts 6.4)', async () => {
    const kind = kindOf([{ path: 'metadata.annotations.a', expression: 'value.x.y' }])
    const base = await agreed({ annotations: { b: '1' } }, kind)
    const pair = { ...base, virtual: virtualOf({ annotations: { a: '1', b: '1' } }), base }
    const error = await updatePair(pair, kind).catch((thrown: Error) => thrown)
    expect(error)
      .to.have.property('message')
      .that.matches(/^patches\[0\] at "metadata\.annotations\.a": TypeError/)
  })
})

describe('hostDocument', function () {
  this.timeout(20_000)
  let runtime: SandboxRuntime
  before(() => (runtime = sandbox()))
  after(() => runtime.close())

  const made = (virtual: ApiObject, patches: PatchRule[] = []) =>
    hostDocument(virtual, place, {
      rules: endpointsRules,
      patches,
      translation: { naming, marks: markers('platform') },
      config: readSyncConfig(undefined),
      runtime,
      references: {
        toHost: () => Promise.resolve(undefined),
        toVirtual: () => Promise.resolve(undefined),
      },
      missingExpression: 'keep',
    })
  const marksOf = (more: Texts) => ({
    'vcluster.platform/object-name': 'db',
    'vcluster.platform/object-namespace': 'default',
    'vcluster.platform/object-uid': 'u1',
    'vcluster.platform/object-kind': '/v1, Kind=Endpoints',
    'vcluster.platform/object-host-name': place.name,
    'vcluster.platform/object-host-namespace': place.namespace,
    ...more,
  })
  const marked = {
    'vcluster.platform/managed-by': 'my-vcluster',
    'vcluster.platform/namespace': 'default',
  }

  it('"Forward create": the whole host object, with six markers and no list of copied keys (facts 6.8, 6.9)', async () => {
    expect(await made(virtualOf({ subsets: [{ ports: [{ port: 1 }] }] }))).to.deep.equal({
      apiVersion: 'v1',
      kind: 'Endpoints',
      metadata: { ...place, labels: marked, annotations: marksOf({}) },
      subsets: [{ ports: [{ port: 1 }] }],
    })
  })

  it('copied annotations are listed, sorted, one per line (facts 6.8)', async () => {
    const { metadata } = await made(virtualOf({ annotations: { b: '1', a: '2' } }))
    expect(metadata.annotations).to.deep.equal(
      marksOf({ a: '2', b: '1', 'vcluster.platform/managed-annotations': 'a\nb' }),
    )
  })

  it('annotations set by the virtual plane are not copied (facts 6.8)', async () => {
    const virtual = virtualOf({})
    const { metadata } = await made({
      ...virtual,
      metadata: {
        ...virtual.metadata,
        generateName: 'd',
        resourceVersion: '7',
        generation: 3,
        creationTimestamp: '2030-01-01T00:00:00Z',
        ownerReferences: [{ apiVersion: 'v1', kind: 'Service', name: 'db', uid: 'u2' }],
        finalizers: ['example.com/wait'],
        managedFields: [],
      },
    })
    expect(metadata).to.deep.equal({ ...place, labels: marked, annotations: marksOf({}) })
  })

  it('on create the patch gets the whole object, and no host object (facts 6.4)', async () => {
    const expression =
      '({ metadata: { annotations: { seen: [value.kind, value.metadata.name, String(context.hostObject)].join() } } })'
    const { metadata } = await made(virtualOf({}), [{ path: '', expression }])
    expect(metadata.annotations?.seen).to.equal(`Endpoints,${place.name},null`)
  })
})
