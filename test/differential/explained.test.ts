import { expect } from 'chai'
import { deviationOf, peerDifference } from './explained.ts'

const undeclared = (...fields: string[]) =>
  `failed to create typed patch object (/a; g/v1, Kind=K): ${fields.map((field) => `${field}: field not declared in schema`).join(', ')}`

function difference(at: string, ours: unknown, peer: unknown, code = 500) {
  return {
    step: 0,
    at,
    ours,
    peer,
    answers: { ours: `${code} ${String(ours)}`, peer: `${code} ${String(peer)}` },
  }
}

describe('explained differences', () => {
  it('do not cover another message, code or field', () => {
    for (const one of [
      difference('body.message', 'a', 'b'),
      difference('status', '404 NotFound x', '200 y'),
      difference('body.metadata.name', 'a', 'b', 200),
    ])
      expect([deviationOf(one), peerDifference(one)]).to.deep.equal([undefined, undefined])
  })

  it('ignore Go diffs of immutable specs, and nothing else of the message', () => {
    const text = 'Pod "a" is invalid: spec: Forbidden: may not change'
    const found = [`${text}\n@@ -1,2 +1,2 @@\n-a\n+b\n`, `${text} other\n@@ -1 +1 @@\n`].map(
      (peer) => deviationOf(difference('body.message', text, peer, 422)),
    )
    expect(found).to.deep.equal(['Values in a 422 about an immutable spec', undefined])
    const both = `${text}\n@@ -1 +1 @@\n-a\n, nodeAffinity: Invalid value: {"Required":null}: field is immutable`
    const ours = `${text}, nodeAffinity: Invalid value: {}: field is immutable`
    const together = deviationOf(difference('body.message', ours, both, 422))
    expect(together).to.equal('Values in a 422 about an immutable spec')
  })

  it('ignore undeclared fields of the peer that are missing here, and no others', () => {
    const ours = undeclared('.spec.a', '.b')
    const found = [undeclared('.b'), undeclared('.spec.a', '.b'), undeclared('.c')].map(
      (peer) => peerDifference(difference('body.message', ours, peer)) !== undefined,
    )
    expect(found).to.deep.equal([true, true, false])
  })
})
