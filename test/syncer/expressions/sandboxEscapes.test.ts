import { expect } from 'chai'
import { Sandbox } from '../../../syncer/expressions/sandbox.ts'
import { sandboxDefaults } from '../../../syncer/expressions/sandboxRuntime.ts'
import { naming } from '../sandbox.ts'
import { deadline } from '../../support/deadlines.ts'

/** Harmless result of an attempt; absent: undefined or an error. */
const cases: [source: string, harmless?: unknown][] = [
  // The host and its functions.
  ['process'],
  ['require("fs")'],
  ['typeof process', 'undefined'],
  ['typeof require', 'undefined'],
  ['typeof fetch', 'undefined'],
  ['typeof WebAssembly', 'undefined'],
  ['typeof setTimeout', 'undefined'],
  ['typeof setInterval', 'undefined'],
  ['typeof setImmediate', 'undefined'],
  ['typeof queueMicrotask', 'undefined'],
  ['typeof console', 'undefined'],
  ['typeof module', 'undefined'],
  ['typeof Buffer', 'undefined'],
  ['typeof XMLHttpRequest', 'undefined'],
  ['typeof WebSocket', 'undefined'],
  ['typeof Worker', 'undefined'],
  ['typeof SharedArrayBuffer', 'undefined'],
  ['typeof Atomics', 'undefined'],
  ['typeof WeakRef', 'undefined'],
  ['typeof FinalizationRegistry', 'undefined'],
  ['typeof std + typeof os + typeof print', 'undefinedundefinedundefined'],
  ['typeof performance', 'undefined'],
  ['typeof __virtualToHostDNS', 'undefined'],
  ['import("fs")'],
  ['import("node:child_process").then((m) => m.execSync("id"))'],
  // Code in strings.
  ['eval("1")'],
  ['Function("return 1")()'],
  ['constructor.constructor("return process")()'],
  ['this.constructor.constructor("return process")()'],
  ['(() => 1).constructor("return 1")()'],
  ['(async () => 1).constructor("return 1")()'],
  ['(function* () {}).constructor("yield 1")().next()'],
  ['(async function* () {}).constructor("yield 1")()'],
  ['Object.getPrototypeOf(function () {}).constructor("return 1")()'],
  ['Reflect.construct((() => 1).constructor, ["return 1"])()'],
  ['[].map.constructor("return 1")()'],
  ['virtualToHostDNS.constructor("return process")()'],
  ['atob.constructor.constructor("return process")()'],
  ['new Proxy(() => 1, {}).constructor("return 1")()'],
  ['Error.prepareStackTrace = (e, s) => s'],
  ['arguments.callee'],
  ['(function () { return arguments.callee.caller })()'],
  ['(function f() { return f.caller })()'],
  ['virtualToHostDNS({ toString() { while (1); } })'],
  ['virtualToHostDNS(Symbol())', 'Symbol()'],
  // State that would remain for the next evaluation.
  ['Object.prototype.leak = 1'],
  ['Array.prototype.leak = 1'],
  ['String.prototype.replace = () => "pwned"'],
  ['JSON.parse = () => "pwned"'],
  ['JSON.stringify = () => "pwned"'],
  ['globalThis.leak = 1'],
  ['leak = 1'],
  ['atob = () => "pwned"'],
  ['delete globalThis.atob'],
  ['Object.defineProperty(globalThis, "leak", { value: 1 })'],
  ['Object.setPrototypeOf(Array.prototype, { leak: 1 })'],
  ['Object.setPrototypeOf(globalThis, { leak: 1 })'],
  ['({}).__proto__.leak = 1'],
  ['({}).constructor.leak = 1'],
  ['({}).__defineGetter__.call(Object.prototype, "leak", () => 1)'],
  ['(function* () {})().__proto__.__proto__.__proto__.leak = 1'],
  ['(async () => {}).__proto__.leak = 1'],
  ['[][Symbol.iterator]().__proto__.leak = 1'],
  ['new Map().entries().__proto__.leak = 1'],
  ['"".matchAll(/a/g).__proto__.leak = 1'],
  ['Object.getPrototypeOf(Int8Array).leak = 1'],
  ['context.leak = 1'],
  ['context.vcluster.name = "other"'],
  ['Symbol.leak = 1'],
  ['Math.leak = 1'],
  ['Reflect.leak = 1'],
  ['(() => { try { null.x } catch (e) { e.__proto__.__proto__.leak = 1 } })()'],
  ['(async () => { for (;;) await 0 })()'],
  ['Promise.resolve().then(() => { while (1); })'],
  // Time and memory.
  ['(() => { while (true) {} })()'],
  ['(() => { for (;;) try { for (;;); } catch {} })()'],
  ['(() => { try { for (;;); } finally { for (;;); } })()'],
  ['/(a+)+$/.test("a".repeat(40) + "b")'],
  ['(function f() { return f() })()'],
  ['(() => { const a = []; for (;;) a.push(a.length + "x".repeat(1000)) })()'],
  ['"x".repeat(2 ** 29)'],
  ['"x".repeat(2 ** 24) + "y".repeat(2 ** 24)'],
  ['new Array(1e7).fill(0).map((x, i) => i)'],
  ['new ArrayBuffer(2 ** 30)'],
  ['new Uint8Array(2 ** 30)'],
  ['"a".repeat(1e6).split("").sort().join("")'],
  ['JSON.parse("[".repeat(1e5) + "]".repeat(1e5))'],
  ['JSON.stringify((() => { let o = {}; for (let i = 0; i < 1e5; i++) o = { o }; return o })())'],
  ['({ toJSON() { for (;;); } })'],
  ['({ get x() { for (;;); } })'],
  ['new Proxy({}, { ownKeys() { for (;;); } })'],
  ['(() => { throw { get message() { for (;;); } } })()'],
  ['(() => { const o = {}; o.o = o; return o })()'],
  ['(() => { throw new Proxy({}, { get() { for (;;); } }) })()'],
  ['2n ** 100000000n'],
  ['btoa("x".repeat(1e7))'],
  // Results without a JSON form.
  ['() => 1'],
  ['Symbol()'],
  ['1n'],
  ['NaN'],
  ['-Infinity'],
  ['({ toJSON: () => undefined })'],
]

describe('Sandbox attacks', function () {
  this.timeout(20_000)
  let sandbox: Sandbox
  const context = JSON.stringify({ vcluster: { name: 'vcluster' }, path: 'a' })

  let fresh: Sandbox[]
  before(async () => {
    sandbox = await Sandbox.create(sandboxDefaults)
    fresh = await Promise.all([1, 2, 3].map(() => Sandbox.create(sandboxDefaults)))
  })
  after(() => sandbox.close())

  const run = (source: string, value: unknown = 'value') =>
    JSON.parse(
      sandbox.evaluate({ source, value: JSON.stringify(value), context, naming }),
    ) as unknown

  /** State that changes if an evaluation leaves anything behind. */
  const state = () =>
    run(`[typeof leak, [].leak, ({}).leak, "".leak, (() => 1).leak, Map.leak, Math.leak, Symbol.leak, context.leak,
      context.vcluster.name, "a".replace("a", "b"), atob("YQ=="), btoa("a"), JSON.stringify({ a: JSON.parse("1") }),
      Object.getOwnPropertyNames(globalThis).length]`)

  it('has more than sixty attempts', () => {
    expect(cases.length).to.be.greaterThan(60)
  })

  for (const [source, harmless] of cases) {
    it(`${source} ${harmless === undefined ? 'fails' : `is ${JSON.stringify(harmless)}`} and leaves nothing`, () => {
      if (sandbox.isBroken) sandbox = fresh.pop() ?? sandbox
      const before = state()
      const started = performance.now()
      if (harmless === undefined) expect(() => run(source)).to.throw(Error)
      else expect(run(source)).to.equal(harmless)
      expect(performance.now() - started).to.be.lessThan(deadline(500))
      expect(state()).to.deep.equal(before)
    })
  }

  it('a value changed by one evaluation is unchanged for the next', () => {
    const source = '(() => { value.n = (value.n || 0) + 1; return value.n })()'
    expect([run(source, {}), run(source, {})]).to.deep.equal([1, 1])
  })

  it('functions, patterns and templates keep no state between evaluations', () => {
    for (const source of [
      '(function f() { f.n = (f.n || 0) + 1; return f.n })()',
      '(() => { const r = /a/g; r.test("aa"); return r.lastIndex })()',
      '((s) => { try { s.n = (s.n || 0) + 1 } catch {} return s.n || 1 })`x`',
    ]) {
      expect([run(source), run(source), run(source)]).to.deep.equal([1, 1, 1])
    }
  })
})
