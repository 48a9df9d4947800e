import { expect } from 'chai'
import { parseAccept } from '../../apiserver/encoding/acceptHeader.ts'

describe('parseAccept (reference 1.9)', () => {
  // The orders are those of the Go library goautoneg.
  const cases = [
    ['a/b', ['a/b 1']],
    ['a/b;q=0.5,c/d', ['c/d 1', 'a/b 0.5']],
    ['*/*,a/*,a/b', ['a/b 1', 'a/* 1', '*/* 1']],
    ['a/b,c/d,e/f', ['a/b 1', 'c/d 1', 'e/f 1']],
    ['*/*,a/b;q=0.5', ['a/b 0.5', '*/* 1']],
    ['a/b;q=0.5,*/*', ['*/* 1', 'a/b 0.5']],
    ['*', ['*/* 1']],
    ['a,a/b/c,,x/y', ['x/y 1']],
    ['a/b;q=x', ['a/b 0']],
    [' a/b ; q=0.5 ', ['a/b 0.5']],
  ] as const
  for (const [header, want] of cases) {
    it(`sorts ${JSON.stringify(header)}`, () => {
      const found = parseAccept(header)
      expect(
        found.map(({ type, subtype, quality }) => `${type}/${subtype} ${quality}`),
      ).to.deep.equal(want)
    })
  }

  it('reads parameters in any order and leaves out malformed ones', () => {
    const [clause] = parseAccept('a/b;x= 1 ;y;z=1=2; w = 3;q=0.5;x=4')
    expect([...(clause?.parameters ?? [])]).to.deep.equal([
      ['x', '4'],
      ['w', '3'],
    ])
  })
})
