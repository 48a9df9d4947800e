import { expect } from 'chai'
import { markers } from '../../../syncer/names/markers.ts'
import { nameForm, hostObjectName } from '../../../syncer/names/naming.ts'
import type { PatchRule } from '../../../syncer/config/patchRule.ts'
import type { SandboxRuntime } from '../../../syncer/expressions/sandboxRuntime.ts'
import { applyPatches, type PatchPlace } from '../../../syncer/patches/applyPatches.ts'
import type { References } from '../../../syncer/patches/references.ts'
import { sandbox, scope } from '../sandbox.ts'

const single = { virtualCluster: 'my-vcluster', hostNamespace: 'my-vcluster-ns' }
const multi = { ...single, namespaces: { byName: { default: 'mapped' }, mappingsOnly: false } }
type Document = Record<string, unknown>

describe('applyPatches', function () {
  this.timeout(20_000)
  let runtime: SandboxRuntime
  before(() => (runtime = sandbox()))
  after(() => runtime.close())

  const place = (more: Partial<PatchPlace> & { naming?: typeof single } = {}): PatchPlace => {
    const { naming = single, ...rest } = more
    const references: References = {
      toHost: (reference) =>
        Promise.resolve(hostObjectName(reference, naming, nameForm(reference.apiVersion))),
      toVirtual: ({ name }) =>
        Promise.resolve({ name: name.split('-x-')[0] ?? '', namespace: 'default' }),
    }
    return {
      direction: 'toHost',
      runtime,
      scope: { ...scope, naming },
      references,
      marks: markers('platform'),
      namespace: 'default',
      virtualNamespace: 'default',
      ...rest,
    }
  }

  const secret = { apiVersion: 'v1', kind: 'Secret' }
  const cases: {
    name: string
    patches: PatchRule[]
    document: Document
    want: Document
    at?: Partial<PatchPlace> & { naming?: typeof single }
  }[] = [
    {
      name: 'a prefix for every annotation (facts 6.6)',
      patches: [{ path: 'metadata.annotations[*]', expression: '"my-prefix-"+value' }],
      document: { metadata: { annotations: { a: 'x', b: 'y' } } },
      want: { metadata: { annotations: { a: 'my-prefix-x', b: 'my-prefix-y' } } },
    },
    {
      name: 'and back (spec sync.patches.reverseExpression)',
      patches: [
        {
          path: 'metadata.annotations[*]',
          expression: '"my-prefix-"+value',
          reverseExpression: 'value.slice("my-prefix-".length)',
        },
      ],
      document: { metadata: { annotations: { a: 'my-prefix-x' } } },
      want: { metadata: { annotations: { a: 'x' } } },
      at: { direction: 'toVirtual' },
    },
    {
      name: 'in list order, each on the result of the one before (facts 6.4)',
      patches: [
        { path: 'a', expression: 'value + "1"' },
        { path: 'b', expression: '"2"' },
        { path: '["a"]', expression: 'value + "3"' },
      ],
      document: { a: 'x', b: 'y' },
      want: { a: 'x13', b: '2' },
    },
    {
      name: 'null deletes (facts 6.4)',
      patches: [
        { path: 'a', expression: 'null' },
        { path: 'b', expression: 'undefined' },
      ],
      document: { a: 1, b: 2, c: 3 },
      want: { c: 3 },
    },
    {
      name: 'an absent path never applies (spec sync.patches.path)',
      patches: [{ path: 'a.b.c', expression: '"made"' }],
      document: { a: {} },
      want: { a: {} },
    },
    {
      name: 'contradiction 9: without an expression for the direction nothing is done',
      patches: [{ path: 'a', reverseExpression: '"back"' }],
      document: { a: 1 },
      want: { a: 1 },
    },
    {
      name: 'contradiction 9: or the field is dropped, where that is asked for',
      patches: [{ path: 'a', reverseExpression: '"back"' }],
      document: { a: 1, b: 2 },
      want: { b: 2 },
      at: { missingExpression: 'drop' },
    },
    {
      name: 'the whole object (facts 6.6)',
      patches: [
        {
          path: '',
          expression:
            '(() => { value.metadata = value.metadata || {}; value.metadata.annotations = {"patched-by": "vcluster"}; return value })()',
        },
      ],
      document: { spec: { replicas: 3 } },
      want: { spec: { replicas: 3 }, metadata: { annotations: { 'patched-by': 'vcluster' } } },
    },
    {
      name: 'what the whole object is answered with is merged into it (facts 6.3)',
      patches: [{ path: '', expression: '({ spec: { more: 1 } })' }],
      document: { spec: { replicas: 3 } },
      want: { spec: { replicas: 3, more: 1 } },
    },
    {
      name: 'a name (spec sync.patches.reference)',
      patches: [{ path: 'metadata.annotations["my-secret-ref"]', reference: secret }],
      document: { metadata: { annotations: { 'my-secret-ref': 'my-secret' } } },
      want: { metadata: { annotations: { 'my-secret-ref': 'my-secret-x-default-x-my-vcluster' } } },
    },
    {
      name: 'a v-prefixed name for a custom kind (spec sync.patches.reference.names)',
      patches: [{ path: 'spec.ref', reference: { apiVersion: 'example.com/v1', kind: 'Thing' } }],
      document: { spec: { ref: 'my-secret' } },
      want: { spec: { ref: 'v5ri45ovgqam9c' } },
    },
    {
      name: 'unchanged with several namespaces (spec sync.patches.reference.names)',
      patches: [{ path: 'spec.ref', reference: secret }],
      document: { spec: { ref: 'my-secret' } },
      want: { spec: { ref: 'my-secret' } },
      at: { naming: multi },
    },
    {
      name: 'name and namespace (spec sync.patches.reference.paths)',
      patches: [
        {
          path: 'spec.secretRef',
          reference: { ...secret, namePath: 'name', namespacePath: 'namespace' },
        },
      ],
      document: { spec: { secretRef: { name: 'my-secret', namespace: 'default' } } },
      want: {
        spec: {
          secretRef: { name: 'my-secret-x-default-x-my-vcluster', namespace: 'my-vcluster-ns' },
        },
      },
    },
    {
      name: 'the namespace alone changes (spec sync.namespaces)',
      patches: [
        {
          path: 'spec.secretRef',
          reference: { ...secret, namePath: 'name', namespacePath: 'namespace' },
        },
      ],
      document: { spec: { secretRef: { name: 'my-secret', namespace: 'default' } } },
      want: { spec: { secretRef: { name: 'my-secret', namespace: 'mapped' } } },
      at: { naming: multi },
    },
    {
      name: 'the namespace falls back to that of the object (spec sync.patches.reference.paths)',
      patches: [
        {
          path: 'spec.secretRef',
          reference: { ...secret, namePath: 'name', namespacePath: 'namespace' },
        },
      ],
      document: { spec: { secretRef: { name: 'my-secret' } } },
      want: { spec: { secretRef: { name: 'my-secret-x-default-x-my-vcluster' } } },
    },
    {
      name: 'the group and kind found win over the constants (spec sync.patches.reference.paths)',
      patches: [
        {
          path: 'spec.refs[*]',
          reference: {
            ...secret,
            apiVersionPath: 'apiVersion',
            kindPath: 'kind',
            namePath: 'name',
          },
        },
      ],
      document: {
        spec: {
          refs: [
            { apiVersion: 'example.com/v1', kind: 'Thing', name: 'my-secret' },
            { name: 'my-secret' },
            { other: 'nothing named' },
          ],
        },
      },
      want: {
        spec: {
          refs: [
            { apiVersion: 'example.com/v1', kind: 'Thing', name: 'v5ri45ovgqam9c' },
            { name: 'my-secret-x-default-x-my-vcluster' },
            { other: 'nothing named' },
          ],
        },
      },
    },
    {
      name: 'a reference back (facts 6.6)',
      patches: [{ path: 'spec.ref', reference: secret }],
      document: { spec: { ref: 'my-secret-x-default-x-my-vcluster' } },
      want: { spec: { ref: 'my-secret' } },
      at: { direction: 'toVirtual' },
    },
    {
      name: 'keys of a selector (spec sync.patches.reference.labels)',
      patches: [{ path: 'spec.selector.matchLabels', labels: {} }],
      document: { spec: { selector: { matchLabels: { release: 'one', app: 'db' } } } },
      want: {
        spec: {
          selector: {
            matchLabels: { 'vcluster.platform/label-my-vcluster-x-a4d451ec23': 'one', app: 'db' },
          },
        },
      },
    },
    {
      name: 'a whole selector, and back (spec sync.patches.reference.labels)',
      patches: [{ path: 'spec.selector', labels: {} }],
      document: {
        spec: {
          selector: {
            matchExpressions: [
              { key: 'vcluster.platform/label-my-vcluster-x-a4d451ec23', operator: 'Exists' },
            ],
          },
        },
      },
      want: { spec: { selector: { matchExpressions: [{ key: 'release', operator: 'Exists' }] } } },
      at: { direction: 'toVirtual' },
    },
  ]
  for (const { name, patches, document, want, at } of cases) {
    it(name, async () => {
      const before = structuredClone(document)
      expect(await applyPatches(document, patches, place(at))).to.deep.equal(want)
      expect(document).to.deep.equal(before)
    })
  }

  it('names the failed patch', async () => {
    const patches = [
      { path: 'a', expression: '1' },
      { path: 'b', expression: 'value.x.y' },
    ]
    const error = await applyPatches({ a: 1, b: 2 }, patches, place()).catch(
      (thrown: Error) => thrown,
    )
    expect(error)
      .to.have.property('message')
      .that.matches(/^patches\[1\] at "b": TypeError/)
  })

  it('reports what each patch matched', async () => {
    const applied: unknown[] = []
    const patches = [{ path: 'a[*]', expression: 'value + 1' }]
    const observe = ({ index, matches }: { index: number; matches: unknown }) =>
      void applied.push({ index, matches })
    await applyPatches({ a: [1, 2] }, patches, place({ observe }))
    expect(applied).to.deep.equal([
      {
        index: 0,
        matches: [
          { path: 'a.0', input: 1, result: 2 },
          { path: 'a.1', input: 2, result: 3 },
        ],
      },
    ])
  })
})
