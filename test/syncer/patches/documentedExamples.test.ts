import { expect } from 'chai'
import type { SandboxRuntime } from '../../../syncer/expressions/sandboxRuntime.ts'
import { markers } from '../../../syncer/names/markers.ts'
import { applyPatches } from '../../../syncer/patches/applyPatches.ts'
import { sandbox, scope } from '../sandbox.ts'

type Document = Record<string, unknown>
const annotated = (annotations: Record<string, string>): Document => ({ metadata: { annotations } })
const containers = (...all: object[]): Document => ({ spec: { containers: all } })

/**
 * Source: platform facts 6.6, every row with an expression, and also in reverse if it has a reverse
 * expression.
 */
describe('documented examples of patches', function () {
  this.timeout(20_000)
  let runtime: SandboxRuntime
  before(() => (runtime = sandbox()))
  after(() => runtime.close())

  const cases: {
    path: string
    expression: string
    reverse?: string
    virtual: Document
    host: Document
  }[] = [
    {
      path: 'metadata.annotations[*]',
      expression: '"my-prefix-"+value',
      reverse: 'value.slice("my-prefix-".length)',
      virtual: annotated({ a: 'x', b: 'y' }),
      host: annotated({ a: 'my-prefix-x', b: 'my-prefix-y' }),
    },
    {
      path: 'metadata.annotations[*]',
      expression: '"my-value"',
      virtual: annotated({ a: 'x', b: 'y' }),
      host: annotated({ a: 'my-value', b: 'my-value' }),
    },
    {
      path: 'metadata.annotations["encoded-value"]',
      expression: 'btoa(value)',
      reverse: 'atob(value)',
      virtual: annotated({ 'encoded-value': 'my-value' }),
      host: annotated({ 'encoded-value': 'bXktdmFsdWU=' }),
    },
    {
      path: 'metadata.annotations["decoded-value"]',
      expression: 'atob(value)',
      virtual: annotated({ 'decoded-value': 'bXktdmFsdWU=' }),
      host: annotated({ 'decoded-value': 'my-value' }),
    },
    {
      path: 'metadata.annotations["referenced-service"]',
      expression: 'virtualToHostDNS(value)',
      virtual: annotated({ 'referenced-service': 'nginx.default.svc.cluster.local' }),
      host: annotated({
        'referenced-service': 'nginx-x-default-x-vcluster.vcluster-ns.svc.cluster.local',
      }),
    },
    {
      path: 'spec.containers[*].image',
      expression: 'value.replace("docker.io/", "registry.internal/")',
      virtual: containers({ image: 'docker.io/nginx:latest' }, { image: 'other/nginx' }),
      host: containers({ image: 'registry.internal/nginx:latest' }, { image: 'other/nginx' }),
    },
    {
      path: 'spec.containers[*].env[*].value',
      expression: 'value.replace("internal.svc", "internal.svc.cluster.local")',
      virtual: containers({ env: [{ name: 'A', value: 'db.internal.svc' }, { name: 'B' }] }, {}),
      host: containers(
        { env: [{ name: 'A', value: 'db.internal.svc.cluster.local' }, { name: 'B' }] },
        {},
      ),
    },
    {
      path: 'spec.ports[*].name',
      expression: '"tenant-" + value',
      reverse: 'value.replace(/^tenant-/, "")',
      virtual: { spec: { ports: [{ name: 'http' }, { port: 1 }] } },
      host: { spec: { ports: [{ name: 'tenant-http' }, { port: 1 }] } },
    },
    {
      path: 'metadata.annotations["example.com/key"]',
      expression: '"patched-" + value',
      virtual: annotated({ 'example.com/key': 'x', other: 'y' }),
      host: annotated({ 'example.com/key': 'patched-x', other: 'y' }),
    },
    {
      path: 'spec.ref',
      expression: "value.startsWith('prod-') ? value : `prod-${value}`",
      reverse: 'value.slice(5)',
      virtual: { spec: { ref: 'app' } },
      host: { spec: { ref: 'prod-app' } },
    },
    ...['[]', '""', '"0"', '"Linux"'].map((constant) => ({
      path: 'status.value',
      expression: constant,
      virtual: { status: { value: 'x' } },
      host: { status: { value: JSON.parse(constant) as unknown } },
    })),
    {
      path: '',
      expression:
        '(() => { value.metadata = { annotations: { "patched-by": "vcluster" } }; return value })()',
      virtual: { spec: { replicas: 3 } },
      host: { spec: { replicas: 3 }, metadata: { annotations: { 'patched-by': 'vcluster' } } },
    },
  ]
  const apply = (
    document: Document,
    direction: 'toHost' | 'toVirtual',
    { path, expression, reverse }: (typeof cases)[number],
  ) =>
    applyPatches(
      document,
      [{ path, expression, ...(reverse === undefined ? {} : { reverseExpression: reverse }) }],
      {
        direction,
        runtime,
        scope,
        references: {
          toHost: () => Promise.resolve(undefined),
          toVirtual: () => Promise.resolve(undefined),
        },
        marks: markers('platform'),
        namespace: 'default',
        virtualNamespace: 'default',
      },
    )
  for (const one of cases) {
    it(`${one.path === '' ? 'the whole object' : one.path}: ${one.expression} (facts 6.6)`, async () => {
      expect(await apply(one.virtual, 'toHost', one)).to.deep.equal(one.host)
    })
    if (one.reverse === undefined) continue
    it(`${one.path}, and back: ${one.reverse} (facts 6.6)`, async () => {
      expect(await apply(one.host, 'toVirtual', one)).to.deep.equal(one.virtual)
    })
  }

  it('a value from the host is translated back by a reverse expression only (facts 6.6)', async () => {
    const one = {
      path: 'metadata.annotations[*]',
      reverseExpression: 'value.startsWith("www.") ? value.slice(4) : value',
    }
    const place = {
      direction: 'toVirtual' as const,
      ...{
        runtime,
        scope,
        marks: markers('platform'),
        namespace: 'default',
        virtualNamespace: 'default',
      },
      references: {
        toHost: () => Promise.resolve(undefined),
        toVirtual: () => Promise.resolve(undefined),
      },
    }
    const document = annotated({ a: 'www.example.com', b: 'example.com' })
    expect(await applyPatches(document, [one], place)).to.deep.equal(
      annotated({ a: 'example.com', b: 'example.com' }),
    )
  })
})
