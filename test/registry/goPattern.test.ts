import { expect } from 'chai'
import { patternOf } from '../../apiserver/registry/goPattern.ts'

describe('patternOf', () => {
  const cases = [
    { pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', fits: 'a-b', not: '-a' },
    { pattern: '^[a-zA-Z0-9\\-\\.]+$', fits: 'a-.b', not: 'a b' },
    { pattern: '^[\\w-.]+$', fits: 'a-b.', not: 'a b' },
    { pattern: '^(?P<name>[[:alpha:]]+)$', fits: 'ab', not: '1' },
    { pattern: '(?i)^abc$', fits: 'ABC', not: 'x' },
    { pattern: '^\\"a\\_\\@\\:$', fits: '"a_@:', not: 'a' },
    { pattern: '^[]a]+$', fits: ']a', not: 'b' },
    { pattern: '^[^]a]$', fits: 'b', not: ']' },
    { pattern: '^\\pL+$', fits: 'é', not: '1' },
    { pattern: '\\Aab\\z', fits: 'ab', not: 'abc' },
    { pattern: '^{a}$', fits: '{a}', not: 'a' },
    { pattern: '^a{2}$', fits: 'aa', not: 'a' },
    { pattern: '^\\Qa.b\\E$', fits: 'a.b', not: 'axb' },
    { pattern: '^\\x{61}$', fits: 'a', not: 'b' },
  ]
  for (const { pattern, fits, not } of cases) {
    it(`${pattern} fits ${fits} and not ${not}`, () => {
      const compiled = patternOf(pattern)
      expect([compiled.test(fits), compiled.test(not)]).to.deep.equal([true, false])
    })
  }

  it('what is no pattern throws', () => {
    expect(() => patternOf('(')).to.throw(SyntaxError)
  })
})
