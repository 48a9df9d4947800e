import { expect } from 'chai'
import fc from 'fast-check'
import { applyPatch, createPatch } from 'rfc6902'
import { StatusError } from '../../apiserver/meta/status.ts'
import { applyJsonPatch } from '../../apiserver/patch/jsonPatch.ts'
import { jsonPatchStrictErrors } from '../../apiserver/patch/jsonPatchOperations.ts'
import { deadline } from '../support/deadlines.ts'

type Step = Record<string, unknown>
const add = (path: string, value: unknown): Step => ({ op: 'add', path, value })
const remove = (path: string): Step => ({ op: 'remove', path })
const replace = (path: string, value: unknown): Step => ({ op: 'replace', path, value })
const test = (path: string, value: unknown): Step => ({ op: 'test', path, value })
const move = (from: string, path: string): Step => ({ op: 'move', from, path })
const copy = (from: string, path: string): Step => ({ op: 'copy', from, path })

function outcome(target: unknown, patch: unknown): unknown {
  try {
    return applyJsonPatch(target, patch)
  } catch (error) {
    return error instanceof StatusError ? [error.code, error.message] : error
  }
}

describe('applyJsonPatch (reference 3.9)', () => {
  // The results are those of the evanphx library, 4.13.
  const cases: [string, unknown, Step[], unknown][] = [
    ['adds a member', { a: 1 }, [add('/b', { c: 1 })], { a: 1, b: { c: 1 } }],
    ['adds over a member', { a: 1 }, [add('/a', 2)], { a: 2 }],
    ['adds null without a value', {}, [{ op: 'add', path: '/a' }], { a: null }],
    ['adds under escaped names', {}, [add('/a~1b~0', 1)], { 'a/b~': 1 }],
    ['adds under the empty name', {}, [add('/', 1)], { '': 1 }],
    ['inserts', { a: [1, 3] }, [add('/a/1', 2)], { a: [1, 2, 3] }],
    ['appends at the length', { a: [1] }, [add('/a/1', 2)], { a: [1, 2] }],
    ['appends at -', { a: [1] }, [add('/a/-', 2)], { a: [1, 2] }],
    ['appends at -1', { a: [1] }, [add('/a/-1', 2)], { a: [1, 2] }],
    ['inserts at -2', { a: [1] }, [add('/a/-2', 2)], { a: [2, 1] }],
    ['removes a member', { a: 1, b: null }, [remove('/b')], { a: 1 }],
    ['removes the last item at -1', { a: [1, 2] }, [remove('/a/-1')], { a: [1] }],
    ['reads indices as Go does', { a: [1, 2] }, [remove('/a/+01')], { a: [1] }],
    ['replaces', { a: [{ b: 1 }] }, [replace('/a/0/b', 2)], { a: [{ b: 2 }] }],
    ['replaces a member that is not there', { a: 1 }, [replace('/b', 2)], { a: 1, b: 2 }],
    ['replaces the document', { a: 1 }, [replace('', { b: 1 }), add('/c', 1)], { b: 1, c: 1 }],
    ['moves', { a: { b: 1 }, c: [] }, [move('/a/b', '/c/-')], { a: {}, c: [1] }],
    ['moves in a list after removing', { a: [1, 2, 3] }, [move('/a/0', '/a/2')], { a: [2, 3, 1] }],
    [
      'copies',
      { a: { b: [1] } },
      [copy('/a', '/c'), add('/c/b/-', 2)],
      { a: { b: [1] }, c: { b: [1, 2] } },
    ],
    ['copies what is not there as null', {}, [copy('/a', '/b')], { b: null }],
    ['tests', { a: { b: [1, null] } }, [test('/a', { b: [1, null] })], { a: { b: [1, null] } }],
    ['tests the document', { a: 1 }, [test('', { a: 1 })], { a: 1 }],
    ['tests null against null', { a: null }, [test('/a', null)], { a: null }],
    ['tests null against nothing', {}, [test('/a', null)], {}],
    ['does one step after the other', { a: 1 }, [move('/a', '/b'), replace('/b', 2)], { b: 2 }],
    [
      'takes names of inherited members',
      {},
      [add('/constructor', 1), copy('/constructor', '/x')],
      { constructor: 1, x: 1 },
    ],
  ]
  for (const [name, target, patch, want] of cases) {
    it(name, () => expect(outcome(target, patch)).to.deep.equal(want))
  }

  it('treats null as a patch without steps', () => {
    expect(outcome({ a: 1 }, null)).to.deep.equal({ a: 1 })
  })

  const failing: [string, unknown, unknown[]][] = [
    ['removes what is not there', { a: 1 }, [remove('/b')]],
    ['removes an item that is not there', { a: [1] }, [remove('/a/1')]],
    ['removes the document', { a: 1 }, [remove('')]],
    ['adds below what is not there', {}, [add('/a/b', 1)]],
    ['adds below a scalar', { a: 'x' }, [add('/a/length', 1)]],
    ['adds beyond the length', { a: [] }, [add('/a/1', 1)]],
    ['adds before the beginning', { a: [] }, [add('/a/-2', 1)]],
    ['adds at no index', { a: [] }, [add('/a/x', 1)]],
    ['replaces beyond the length', { a: [1] }, [replace('/a/1', 1)]],
    ['replaces the document by a scalar', {}, [replace('', 1)]],
    ['moves what is not there', {}, [move('/a', '/b')]],
    ['moves into itself', { a: {} }, [move('/a', '/a/b')]],
    ['copies an item that is not there', { a: [] }, [copy('/a/0', '/b')]],
    ['tests another value', { a: 1 }, [test('/a', '1')]],
    ['tests an item that is not there', { a: [] }, [test('/a/0', null)]],
    ['tests a value against nothing', {}, [test('/a', 1)]],
    ['fails after a step that did not', { a: 1 }, [add('/b', 1), test('/b', 2)]],
    ['has no path', {}, [{ op: 'add', value: 1 }]],
    ['has no op', {}, [{ path: '/a' }]],
    ['has an op that is none', {}, [{ op: 'spam', path: '/a' }]],
    ['is null', {}, [null]],
    ['reaches for a prototype', { a: {} }, [add('/__proto__/polluted', 1)]],
    ['reaches for a constructor', {}, [add('/constructor/prototype/polluted', 1)]],
    ['tests an inherited member', {}, [test('/toString/length', 0)]],
  ]
  for (const [name, target, patch] of failing) {
    it(`refuses a step that ${name}: 422, and keeps the target unchanged`, () => {
      const before = structuredClone(target)
      const message = 'the server rejected our request due to an error in our request'
      expect(outcome(target, patch)).to.deep.equal([422, message])
      expect(target).to.deep.equal(before)
      expect(Reflect.get({}, 'polluted')).to.equal(undefined)
    })
  }

  const unmarshal = 'error decoding patch: json: cannot unmarshal'
  const malformed = [
    [{}, `${unmarshal} object into Go value of type []handlers.jsonPatchOp`],
    ['x', `${unmarshal} string into Go value of type []handlers.jsonPatchOp`],
    [[1], `${unmarshal} number into Go value of type handlers.jsonPatchOp`],
    [[[]], `${unmarshal} array into Go value of type handlers.jsonPatchOp`],
    [[{ op: 1 }], `${unmarshal} number into Go struct field jsonPatchOp.op of type string`],
    [[{ path: {} }], `${unmarshal} object into Go struct field jsonPatchOp.path of type string`],
    [[{ from: true }], `${unmarshal} bool into Go struct field jsonPatchOp.from of type string`],
  ] as const
  for (const [patch, message] of malformed) {
    it(`refuses ${JSON.stringify(patch)}: 400`, () => {
      expect(outcome({}, patch)).to.deep.equal([400, message])
    })
  }

  it('accepts 10000 steps and refuses more: 413', () => {
    const steps = Array<Step>(10_000).fill(replace('/a', 1))
    expect(outcome({}, steps)).to.deep.equal({ a: 1 })
    expect(outcome({}, [...steps, remove('/a')])).to.deep.equal([
      413,
      'Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001',
    ])
  })

  it('refuses copies beyond 3 MiB: 422', () => {
    const target = { a: 'x'.repeat(1024 * 1024 - 2) }
    const copies = ['/b', '/c', '/d'].map((path) => copy('/a', path))
    expect(outcome(target, copies)).to.have.all.keys('a', 'b', 'c', 'd')
    expect(outcome(target, [...copies, copy('/none', '/e'), copy('/b', '/e')]))
      .to.be.an('array')
      .with.property('0', 422)
  })

  it('moves a large value 2000 times in less than 2 s', () => {
    const members = Array.from({ length: 80_000 }, (_, n) => [`k${n}`, [`v${n}`]])
    const a: unknown = Object.fromEntries(members)
    const steps = Array.from({ length: 2000 }, (_, n) =>
      n % 2 === 0 ? move('/a', '/b') : move('/b', '/a'),
    )
    const start = performance.now()
    expect(outcome({ a }, steps)).to.deep.equal({ a })
    expect(performance.now() - start).to.be.below(deadline(500))
  })

  const texts = (length: number) => Array.from({ length }, (_, n) => `v${n}`)
  const shifts = [
    { name: 'removes', step: remove('/a/0'), length: 10_000, left: 0 },
    { name: 'adds', step: add('/a/0', 'x'), length: 5000, left: 15_000 },
    { name: 'moves', step: move('/a/0', '/a/-'), length: 10_000, left: 10_000 },
  ]
  for (const { name, step, length, left } of shifts) {
    it(`${name} at the beginning of a list of ${length}, in each step`, () => {
      const after = outcome({ a: texts(length) }, Array<Step>(10_000).fill(step))
      expect(after).to.have.nested.property('a.length', left)
    })

    it(`refuses ${name} too often at the beginning of a long list: 422`, () => {
      expect(outcome({ a: texts(200_000) }, Array<Step>(10_000).fill(step))).to.deep.equal([
        422,
        'the server rejected our request due to an error in our request',
      ])
    })
  }

  it('treats a member __proto__ like any other', () => {
    const patch = [
      add('/a/__proto__', { polluted: 1 }),
      { op: 'copy', from: '/a/__proto__', path: '/__proto__' },
      { op: 'replace', path: '/a/__proto__/polluted', value: 2 },
      { op: 'move', from: '/a/__proto__', path: '/b' },
      test('/__proto__/polluted', 1),
    ]
    const patched = applyJsonPatch({ a: {} }, patch)
    expect(JSON.stringify(patched)).to.equal(
      '{"a":{},"__proto__":{"polluted":1},"b":{"polluted":2}}',
    )
    expect(Reflect.get({}, 'polluted')).to.equal(undefined)
  })

  it('agrees with rfc6902 on the difference of two values', () => {
    // The library ignores a member `__proto__`; here it is an ordinary member.
    const inner = fc.jsonValue({ maxDepth: 2 }).filter((json) => !hasProto(json))
    const value = fc.dictionary(fc.constantFrom('a', 'b', 'c/d'), inner, { noNullPrototype: true })
    fc.assert(
      fc.property(value, value, (from, to) => {
        const patch = createPatch(from, to)
        const before = structuredClone(from)
        const patched = applyJsonPatch(from, patch)
        expect(from).to.deep.equal(before)
        applyPatch(before, patch)
        expect(patched).to.deep.equal(before)
      }),
    )
  })
})

function hasProto(json: unknown): boolean {
  return JSON.stringify(json).includes('"__proto__"')
}

describe('jsonPatchStrictErrors (reference 1.13)', () => {
  it('names unknown and repeated members of a step', () => {
    const patch = [{ op: 'add', Path: '/a', foo: 1, value: { bar: 1 } }, null, { 'x.y': 1 }]
    expect(jsonPatchStrictErrors(patch, ['[0].op'])).to.deep.equal([
      'json patch unknown field "[0].Path"',
      'json patch unknown field "[0].foo"',
      'json patch unknown field "[2].x.y"',
      'json patch duplicate field "[0].op"',
    ])
  })
})
