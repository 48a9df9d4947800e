import { expect } from 'chai'
import { goQuote } from '../../apiserver/meta/goQuote.ts'

describe('goQuote (reference 0.2)', () => {
  const cases: [string, string][] = [
    ['plain', '"plain"'],
    ['say "hi"', String.raw`"say \"hi\""`],
    ['a\\b', String.raw`"a\\b"`],
    ['line\nfeed\ttab\r', String.raw`"line\nfeed\ttab\r"`],
    ['\u0000\u001b\u007f', String.raw`"\x00\x1b\x7f"`],
    ['bell\u0007, \b, \f, \v', String.raw`"bell\a, \b, \f, \v"`],
    ['é, 世界 and 😀', '"é, 世界 and 😀"'],
    ['no-break\u00a0space', String.raw`"no-break\u00a0space"`],
    ['zero width\u200b', String.raw`"zero width\u200b"`],
    ['\ufeff', String.raw`"\ufeff"`],
  ]
  for (const [text, want] of cases) {
    it(`writes ${JSON.stringify(text)} as ${want}`, () => {
      expect(goQuote(text)).to.equal(want)
    })
  }
})
