import { expect } from 'chai'
import fc from 'fast-check'
import { StatusError } from '../../apiserver/meta/status.ts'
import { applyMergePatch } from '../../apiserver/patch/mergePatch.ts'

describe('applyMergePatch (reference 3.9)', () => {
  // RFC 7386, appendix A, as far as the patch is an object.
  const cases = [
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: 'b', c: null }, { a: 'b' }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
    [{ a: 1 }, {}, { a: 1 }],
    [{ a: 1 }, { constructor: { b: 1 } }, { a: 1, constructor: { b: 1 } }],
    // Nulls are removed from added values, except for a list that replaces an object. Source: seen
    // on kube-apiserver 1.37.2.
    [{ a: [] }, { a: [{ b: null }, null] }, { a: [{}, null] }],
    [{}, { a: [[{ b: null }]] }, { a: [[{}]] }],
    [{ a: {} }, { a: [{ b: null }] }, { a: [{ b: null }] }],
  ] as const
  for (const [target, patch, want] of cases) {
    it(`${JSON.stringify(target)} with ${JSON.stringify(patch)}`, () => {
      expect(applyMergePatch(target, patch)).to.deep.equal(want)
    })
  }

  const into = 'into Go value of type map[string]interface {}'
  const refused = [
    [null, 'Invalid JSON Patch'],
    [[1], `error decoding patch: json: cannot unmarshal array ${into}`],
    ['x', `error decoding patch: json: cannot unmarshal string ${into}`],
    [1, `error decoding patch: json: cannot unmarshal number ${into}`],
    [true, `error decoding patch: json: cannot unmarshal bool ${into}`],
  ] as const
  for (const [patch, message] of refused) {
    it(`refuses ${JSON.stringify(patch)}: 400`, () => {
      expect(() => applyMergePatch({ a: 1 }, patch))
        .to.throw(StatusError)
        .that.deep.include({ code: 400, message })
    })
  }

  it('merges a member __proto__ like any other, and leaves prototypes alone', () => {
    const patch: unknown = JSON.parse(
      '{"__proto__":{"polluted":1},"a":{"__proto__":{"polluted":1}}}',
    )
    const merged = applyMergePatch({}, patch)
    expect(JSON.stringify(merged)).to.equal(JSON.stringify(patch))
    const removed = applyMergePatch(merged, JSON.parse('{"a":{"__proto__":null}}'))
    expect(JSON.stringify(removed)).to.equal('{"__proto__":{"polluted":1},"a":{}}')
    expect(Reflect.get({}, 'polluted')).to.equal(undefined)
  })

  const object = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.jsonValue({ maxDepth: 3 }), {
    noNullPrototype: true,
  })
  it('is idempotent, and changes neither argument', () => {
    fc.assert(
      fc.property(object, object, (target, patch) => {
        // Nulls in a list that replaces an object remain until the next patch.
        fc.pre(!/\[[^]*null/.test(JSON.stringify(patch)))
        const before = structuredClone({ target, patch })
        const once = applyMergePatch(target, patch)
        expect(applyMergePatch(once, patch)).to.deep.equal(once)
        expect({ target, patch }).to.deep.equal(before)
      }),
    )
  })
})
