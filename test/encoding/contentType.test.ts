import { expect } from 'chai'
import { mediaTypeOf } from '../../apiserver/encoding/contentType.ts'

const json = 'application/json'

describe('mediaTypeOf', () => {
  const read = [
    undefined,
    '',
    json,
    'APPLICATION/JSON',
    `${json};`,
    `${json} ; `,
    `${json}; charset=utf-8`,
    `${json};charset="utf-8; \\"x"`,
    `${json}; a=1; A=1`,
    `${json} ;\ta = 1 ;`,
    `${json};a=""`,
  ]
  for (const header of read) {
    it(`${header ?? 'no header'} is JSON (reference 1.12)`, () => {
      expect(mediaTypeOf(header, [json])).to.equal(json)
    })
  }

  const refused = [
    'text/plain',
    'json',
    `${json}; x`,
    `${json}; a=`,
    `${json}; a=1; a=2`,
    `${json};;`,
    `${json}; a="1`,
    `${json}; a=1 b=2`,
  ]
  for (const header of refused) {
    it(`${header} is unknown (reference 1.12)`, () => {
      expect(mediaTypeOf(header, [json])).to.equal(undefined)
    })
  }
})
