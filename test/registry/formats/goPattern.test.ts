import { expect } from 'chai'
import { patternOf } from '../../../apiserver/registry/formats/goPattern.ts'
import { SchemaValidator } from '../../../apiserver/registry/schema/schemaValidator.ts'
import { deadline } from '../../support/deadlines.ts'

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
    { pattern: '^\\p{Greek}$', fits: 'α', not: 'a' },
    { pattern: '^(?i:a)b$', fits: 'Ab', not: 'AB' },
    { pattern: '^.$', fits: '😀', not: 'ab' },
    { pattern: '^a$', fits: 'a', not: 'a\n' },
  ]
  for (const { pattern, fits, not } of cases) {
    it(`${pattern} matches ${fits} and not ${not}`, () => {
      const compiled = patternOf(pattern)
      expect([compiled.test(fits), compiled.test(not)]).to.deep.equal([true, false])
    })
  }

  const unreadable = [
    { pattern: '(', says: 'missing closing ): `(`' },
    { pattern: '(?=a)', says: 'invalid or unsupported Perl syntax: `(?=`' },
    { pattern: '(a)\\1', says: 'invalid escape sequence: `\\1`' },
    { pattern: 'a{1001}', says: 'invalid repeat count: `{1001}`' },
  ]
  for (const { pattern, says } of unreadable) {
    it(`${pattern} throws: ${says}`, () => {
      expect(() => patternOf(pattern)).to.throw(SyntaxError, `error parsing regexp: ${says}`)
    })
  }

  const slow = [
    { pattern: '^(a+)+$', text: `${'a'.repeat(32)}!` },
    { pattern: '^(a|a)*$', text: `${'a'.repeat(100_000)}!` },
    { pattern: '(x+x+)+y', text: 'x'.repeat(10_000) },
  ]
  for (const { pattern, text } of slow) {
    it(`${pattern} answers within a second for ${text.length} characters`, () => {
      const start = performance.now()
      const compiled = patternOf(pattern)
      expect([compiled.test(text), compiled.exec(text)]).to.deep.equal([false, null])
      expect(performance.now() - start).to.be.lessThan(deadline(250))
    })
  }

  it('is compiled once, however many others are requested in between', () => {
    const first = patternOf('^once$')
    for (let at = 0; at < 1000; at++) {
      patternOf(`^other${at}$`)
      if (patternOf('^once$') !== first) expect.fail(`compiled again after ${at}`)
    }
  })

  it('finds matches as Go does: no empty match right after a match', () => {
    expect(patternOf('a*').findAll('baac')).to.deep.equal(['', 'aa', ''])
  })

  it('validates a schema in linear time: a backtracking pattern is answered within a second', async () => {
    const properties = { name: { type: 'string' as const, pattern: '^(a+)+$' } }
    const check = await new SchemaValidator({ type: 'object', properties }).load()
    const start = performance.now()
    const name = `${'a'.repeat(32)}!`
    expect(check({ name }).map(({ message }) => message)).to.deep.equal([
      `Invalid value: "${name}": name in body should match '^(a+)+$'`,
    ])
    expect(performance.now() - start).to.be.lessThan(deadline(250))
  })
})
