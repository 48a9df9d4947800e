import { expect } from 'chai'
import { parsePath, showPath } from '../../../syncer/paths/parsePath.ts'

const texts = (path: string) => parsePath(path).map(({ text }) => text)

describe('parsePath', () => {
  const cases: [path: string, want: string[]][] = [
    ['metadata.name', ['metadata', 'name']],
    ['metadata.finalizers[0]', ['metadata', 'finalizers', '0']],
    ['spec.rules[*].host', ['spec', 'rules', '*', 'host']],
    ['spec.rules.*.host', ['spec', 'rules', '*', 'host']],
    ['spec.servers[*].hosts[*]', ['spec', 'servers', '*', 'hosts', '*']],
    ['a..b', ['a', 'b']],
    ['.a.b', ['a', 'b']],
    ['a.b.', ['a', 'b']],
    ['  a.b  ', ['a', 'b']],
    ['', []],
    [
      'metadata.annotations["app.kubernetes.io/name"]',
      ['metadata', 'annotations', 'app.kubernetes.io/name'],
    ],
    ['a."b.c".d', ['a', 'b.c', 'd']],
    ['a[b.c]', ['a', 'b.c']],
    ['a["[x]"]', ['a', '[x]']],
    ['a["ä€😀"]', ['a', 'ä€😀']],
  ]
  for (const [path, want] of cases) {
    it(`${JSON.stringify(path)} has the steps ${JSON.stringify(want)} (facts 6.3)`, () => {
      expect(texts(path)).to.deep.equal(want)
    })
  }

  const refused: [path: string, why: string][] = [
    ['a[b[c]]', 'unexpected bracket in bracket'],
    ['a[]', 'unexpected empty segment'],
    ['a[""]', 'unexpected empty segment'],
    ['a]', 'unexpected bracket close'],
    ['a["b', 'unexpected unclosed quote'],
    ['a[b', 'unexpected unclosed bracket'],
  ]
  for (const [path, why] of refused) {
    it(`${path} is refused: ${why} (facts 6.3)`, () => {
      expect(() => parsePath(path)).to.throw(why)
    })
  }

  it('a segment records its brackets (facts 6.3)', () => {
    expect(parsePath('a["b"].c')).to.deep.equal([
      { text: 'a', bracketed: false },
      { text: 'b', bracketed: true },
      { text: 'c', bracketed: false },
    ])
  })
})

describe('showPath', () => {
  it('keys with dots or brackets are quoted, indexes are plain (facts 6.3)', () => {
    expect(showPath(['spec', 'rules', 'test.object.other', '0'])).to.equal(
      'spec.rules."test.object.other".0',
    )
  })
})
