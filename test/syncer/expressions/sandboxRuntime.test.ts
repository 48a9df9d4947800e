import { expect } from 'chai'
import type { SandboxRuntime } from '../../../syncer/expressions/sandboxRuntime.ts'
import { sandbox, scope } from '../sandbox.ts'

describe('SandboxRuntime', function () {
  this.timeout(20_000)
  let runtime: SandboxRuntime
  before(() => (runtime = sandbox()))
  after(() => runtime.close())

  const one = async (source: string, value: unknown = null) =>
    (await runtime.evaluate(source, [{ value, path: 'a.b' }], scope))[0]

  const cases: [id: string, source: string, value: unknown, want: unknown][] = [
    ['spec sync.patches.expression', '"my-prefix-"+value', 'x', 'my-prefix-x'],
    ['facts 6.6', 'value.slice("my-prefix-".length)', 'my-prefix-x', 'x'],
    ['spec sync.patches.constant', '"my-value"', 'anything', 'my-value'],
    ['spec sync.helpers.base64', 'btoa(value)', 'my-value', 'bXktdmFsdWU='],
    ['spec sync.helpers.base64', 'atob(value)', 'bXktdmFsdWU=', 'my-value'],
    ['spec sync.helpers.base64', 'atob(btoa(value))', 'äöü € 😀', 'äöü € 😀'],
    ['spec sync.helpers.base64', 'btoa("")+btoa("a")+btoa("ab")', null, 'YQ==YWI='],
    [
      'spec sync.helpers.dns',
      'virtualToHostDNS(value)',
      'nginx.default.svc.cluster.local',
      'nginx-x-default-x-vcluster.vcluster-ns.svc.cluster.local',
    ],
    [
      'facts 6.5',
      'virtualToHostDNS(value)',
      'nginx.default.svc',
      'nginx-x-default-x-vcluster.vcluster-ns.svc',
    ],
    ['facts 6.5', 'virtualToHostDNS(value)', 'example.com', 'example.com'],
    ['facts 6.6', 'value?.a?.b || "default"', null, 'default'],
    [
      'facts 6.6',
      'value.replace("docker.io/", "registry.internal/")',
      'docker.io/nginx:latest',
      'registry.internal/nginx:latest',
    ],
    ['facts 6.6', '"tenant-" + value', 'http', 'tenant-http'],
    ['facts 6.6', 'value.replace(/^tenant-/, "")', 'tenant-http', 'http'],
    [
      'facts 6.6',
      'value.startsWith("www.") ? value.slice(4) : value',
      'www.example.com',
      'example.com',
    ],
    ['facts 6.6', "value.startsWith('prod-') ? value : `prod-${value}`", 'app', 'prod-app'],
    ['facts 6.6', '[]', 'x', []],
    ['facts 6.6', '""', 'x', ''],
    ['facts 6.6', '"0"', 'x', '0'],
    [
      'facts 6.6',
      '(() => { value.metadata = value.metadata || {}; value.metadata.annotations = {"patched-by": "vcluster"}; return value })()',
      { spec: { replicas: 3 } },
      { spec: { replicas: 3 }, metadata: { annotations: { 'patched-by': 'vcluster' } } },
    ],
    [
      'spec sync.context',
      'context.vcluster.name + "/" + context.vcluster.namespace',
      null,
      'vcluster/vcluster-ns',
    ],
    ['spec sync.context', 'context.vcluster.config.sync.toHost.endpoints.enabled', null, true],
    ['spec sync.context', 'context.hostObject === null', null, true],
    ['spec sync.context', 'context.virtualObject.metadata.name', null, 'db'],
    ['spec sync.context', 'context.path', null, 'a.b'],
    ['facts 6.4', 'undefined', 'x', null],
    ['facts 6.4', 'null', 'x', null],
    [
      'ES6',
      '[...value].map((x, i) => ({ x, i })).filter(({ i }) => i > 0)',
      'ab',
      [{ x: 'b', i: 1 }],
    ],
    ['ES6', 'value, 2', 1, 2],
  ]
  for (const [id, source, value, want] of cases) {
    it(`${id}: ${source} of ${JSON.stringify(value)} is ${JSON.stringify(want)}`, async () => {
      expect(await one(source, value)).to.deep.equal(want)
    })
  }

  it('evaluates many values at once, in order', async () => {
    const inputs = [1, 2, 3].map((value) => ({ value, path: `p.${value}` }))
    const results = await runtime.evaluate('context.path + value', inputs, scope)
    expect(results).to.deep.equal(['p.11', 'p.22', 'p.33'])
  })

  const statements = [
    'value["k"]="v";value',
    'return 1',
    'let x = 1',
    'var x = 1; x',
    'if (value) 1',
    'for (;;) {}',
    'while (true) {}',
    'throw new Error("x")',
    'function f() {} f()',
    'import fs from "fs"',
    'export default 1',
    '1; 2',
    '',
    '1)}); globalThis.x = 1; (function(){return (2',
    '1) => (2',
    '...value',
    '1 /*',
    '`',
    'import.meta',
    'debugger',
  ]
  for (const source of statements) {
    it(`${JSON.stringify(source)} is not an expression (spec sync.patches.expression)`, async () => {
      const error = await runtime.check(source).then(
        () => undefined,
        (thrown: unknown) => thrown as Error,
      )
      expect(error?.message).to.match(/^not an ES6 expression: /)
    })
  }

  it('an error describes the problem', async () => {
    const error = await one('value.a.b').catch((thrown: unknown) => thrown as Error)
    expect(error)
      .to.have.property('message')
      .that.matches(/TypeError/)
  })

  for (const source of [
    'Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)',
    '"a".repeat(1e6).indexOf("a".repeat(5e5) + "b")',
    '(function f() { try { return f() } catch { return f() } })()',
    'new Array(2 ** 32 - 1).lastIndexOf(1)',
  ]) {
    it(`${source} hangs where the engine checks no time, and fails alone`, async () => {
      const [hung, fine] = await Promise.allSettled([one(source), one('"fine"')])
      expect(hung).to.have.property('status', 'rejected')
      expect(fine).to.deep.equal({ status: 'fulfilled', value: 'fine' })
    })
  }

  it('refuses oversized values', async () => {
    const error = await one('value', 'x'.repeat(300_000)).catch(
      (thrown: unknown) => thrown as Error,
    )
    expect(error).to.have.property('message', 'the value is larger than 262144 bytes')
  })

  it('refuses oversized results, single and in sum', async () => {
    const inputs = Array.from({ length: 40 }, (_, at) => ({ value: at, path: `p.${at}` }))
    const refused = (source: string, given: typeof inputs) =>
      runtime.evaluate(source, given, scope).catch((thrown: unknown) => thrown as Error)
    expect(await refused('"x".repeat(300000)', inputs.slice(0, 1)))
      .to.have.property('message')
      .that.equals('the result is larger than 262144 bytes')
    expect(await refused('"x".repeat(200000)', inputs))
      .to.have.property('message')
      .that.equals('the results are larger than 4194304 bytes in all')
  })

  it('refuses evaluations after close', async () => {
    const other = sandbox()
    await other.close()
    const error = await other.check('1').catch((thrown: unknown) => thrown as Error)
    expect(error).to.have.property('message', 'the expression sandbox was closed')
  })
})
