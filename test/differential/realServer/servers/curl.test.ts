import { expect } from 'chai'
import { patch, mergeType } from '../../call.ts'
import { curl } from './curl.ts'

describe('curl', () => {
  it('quotes the request for a shell', () => {
    expect(curl(patch('/a?x=1', { a: "it's" }, mergeType))).to.equal(
      `curl -ksi -X PATCH "$SERVER"'/a?x=1' -H "Authorization: Bearer $TOKEN" ` +
        `-H 'content-type: application/merge-patch+json' --data-binary '{"a":"it'\\''s"}'`,
    )
  })
})
