import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { stringFormats } from '../../apiserver/registry/formats/stringFormats.ts'

/** Results of the real server's checks of each string; MAC addresses as parsed by Go 1.24. */
const vectors = JSON.parse(
  readFileSync(new URL('./stringFormats.vectors.json', import.meta.url), 'utf8'),
) as Record<string, { valid: string[]; invalid: string[] }>

describe('stringFormats', () => {
  it('are those of kube-apiserver 1.37', () => {
    expect(Object.keys(stringFormats)).to.have.members(Object.keys(vectors))
  })

  for (const [format, { valid, invalid }] of Object.entries(vectors))
    describe(format, () => {
      const check = (text: string) => stringFormats[format]?.(text)
      for (const text of valid) {
        it(`accept ${JSON.stringify(text)}`, () => expect(check(text)).to.equal(true))
      }
      for (const text of invalid) {
        it(`refuse ${JSON.stringify(text)}`, () => expect(check(text)).to.equal(false))
      }
    })

  const long = 100_000
  const texts = [
    ...['1', ' ', 'a', '0', '-', '.', ':', '"', '\\', '(', '=', '%', '%25', '1 ', 'a.', '1:'],
    ...['a@b', '=?', '1a', '0.', '[', '"a"', 'rgb(', '1s', ';', 'A ', 'a,', 'g:a@b,', '::'],
  ]
  it('take time linear in the text', function () {
    this.timeout(30_000)
    for (const check of Object.values(stringFormats)) {
      for (const text of texts) {
        check(`1${text.repeat(long / text.length)}`)
        check(`g:http://[${text.repeat(long / text.length)}`)
      }
    }
  })
})
