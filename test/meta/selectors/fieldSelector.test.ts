import { expect } from 'chai'
import fc from 'fast-check'
import {
  checkFieldPaths,
  fieldSelector,
  parseFieldSelector,
} from '../../../apiserver/meta/selectors/fieldSelector.ts'
import { StatusError } from '../../../apiserver/meta/status.ts'

function refusal(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return error instanceof StatusError ? [error.code, error.reason, error.message] : error
  }
}

describe('parseFieldSelector (reference 4.3)', () => {
  const canonical = [
    ['', ''],
    [',', ''],
    ['=', ''],
    ['a=b', 'a=b'],
    ['a==b', 'a=b'],
    ['b!=c,a=', 'a=,b!=c'],
    ['a=x\\,y\\=z\\\\', 'a=x\\,y\\=z\\\\'],
  ] as const
  for (const [text, want] of canonical) {
    it(`reads ${JSON.stringify(text)} as ${JSON.stringify(want)}`, () => {
      expect(parseFieldSelector(text).toString()).to.equal(want)
    })
  }

  const refused = [
    ['a', "invalid selector: 'a'; can't understand 'a'"],
    ['a=b,c', "invalid selector: 'a=b,c'; can't understand 'c'"],
    ['a=\\x', 'invalid field selector: invalid escape sequence: \\x'],
    ['a=b\\', 'invalid field selector: invalid escape sequence: \\'],
    ['a=b=c', 'invalid field selector: unescaped character in value: 61'],
  ] as const
  for (const [text, message] of refused) {
    it(`refuses ${JSON.stringify(text)}: 400`, () => {
      expect(refusal(() => parseFieldSelector(text))).to.deep.equal([400, 'BadRequest', message])
    })
  }

  it('reads what it writes', () => {
    const term = fc.record({
      path: fc.stringMatching(/^[a-z.]+$/),
      operator: fc.constantFrom('=' as const, '!=' as const),
      value: fc.string(),
    })
    fc.assert(
      fc.property(fc.array(term), (terms) => {
        const { requirements } = parseFieldSelector(fieldSelector(terms).toString())
        expect([...requirements]).to.have.deep.members(terms)
      }),
    )
  })
})

describe('FieldSelector (reference 4.3)', () => {
  const fields: Partial<Record<string, string>> = { 'metadata.name': 'x', phase: 'Ready' }
  const cases = [
    ['', true],
    ['metadata.name=x', true],
    ['metadata.name=y', false],
    ['metadata.name!=x', false],
    ['metadata.name=x,phase!=Failed', true],
    ['absent=', true],
    ['absent!=', false],
    ['absent!=x', true],
  ] as const
  for (const [text, want] of cases) {
    it(`${text || 'empty'}: ${want}`, () => {
      expect(parseFieldSelector(text).matches((path) => fields[path])).to.equal(want)
    })
  }

  it('returns its parts', () => {
    const selector = parseFieldSelector('b=1,a!=2,b!=3')
    expect(selector.paths).to.deep.equal(['a', 'b'])
    expect(selector.requiresExact('b')).to.equal('1')
    expect(selector.requiresExact('a')).to.equal(undefined)
    expect([selector.empty, parseFieldSelector('').empty]).to.deep.equal([false, true])
  })
})

describe('checkFieldPaths (reference 4.3)', () => {
  const known = ['metadata.name', 'metadata.namespace']

  it('accepts known paths', () => {
    expect(refusal(() => checkFieldPaths(parseFieldSelector('metadata.name=x'), known))).to.equal(
      undefined,
    )
  })

  it('names unknown paths: 400', () => {
    expect(refusal(() => checkFieldPaths(parseFieldSelector('spec.a=x'), known))).to.deep.equal([
      400,
      'BadRequest',
      '"spec.a" is not a known field selector: only "metadata.name", "metadata.namespace"',
    ])
  })
})
