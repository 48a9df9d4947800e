import { expect } from 'chai'
import { decodeContinue, encodeContinue } from '../../apiserver/meta/continueToken.ts'
import { StatusError } from '../../apiserver/meta/status.ts'

const token = (json: unknown) => Buffer.from(JSON.stringify(json)).toString('base64url')
const v = 'meta.k8s.io/v1'

describe('encodeContinue (reference 4.4)', () => {
  it('writes the start with a leading slash', () => {
    const text = encodeContinue({ revision: 5, start: 'default/a\0' })
    expect(Buffer.from(text, 'base64url').toString()).to.equal(
      '{"v":"meta.k8s.io/v1","rv":5,"start":"/default/a\\u0000"}',
    )
    expect(text).to.match(/^[A-Za-z0-9_-]+$/)
  })

  it('can be decoded', () => {
    const position = { revision: -1, start: 'default/a\0' }
    expect(decodeContinue(encodeContinue(position))).to.deep.equal(position)
  })
})

describe('decodeContinue (reference 4.4)', () => {
  const accepted = [
    [
      'eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6NSwic3RhcnQiOiJkZWZhdWx0L2FcdTAwMDAifQ',
      { revision: 5, start: 'default/a\0' },
    ],
    [
      'eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6NSwic3RhcnQiOiJhXHUwMDAwIn0',
      { revision: 5, start: 'a\0' },
    ],
    [
      'eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6LTEsInN0YXJ0IjoiZGVmYXVsdC9hXHUwMDAwIn0',
      { revision: -1, start: 'default/a\0' },
    ],
    [token({ v, rv: 7, start: '/a/b' }), { revision: 7, start: 'a/b' }],
    [token({ v, rv: 7, start: '/' }), { revision: 7, start: '' }],
  ] as const
  for (const [text, want] of accepted) {
    it(`reads ${text}`, () => expect(decodeContinue(text)).to.deep.equal(want))
  }

  const refused = [
    ['a b', 'illegal base64 data at input byte 1'],
    ['abcd=', 'illegal base64 data at input byte 4'],
    ['abcde', 'illegal base64 data at input byte 4'],
    ['', 'unexpected end of JSON input'],
    [token([]), 'json: cannot unmarshal array into Go value of type storage.continueToken'],
    [
      token({ v, rv: 'x', start: 'a' }),
      'json: cannot unmarshal string into Go struct field continueToken.rv of type int64',
    ],
    [
      token({ v, rv: 1.5, start: 'a' }),
      'json: cannot unmarshal number 1.5 into Go struct field continueToken.rv of type int64',
    ],
    [token({ v: 'v2', rv: 1, start: 'a' }), 'server does not recognize this encoded version v2'],
    [token({ rv: 1, start: 'a' }), 'server does not recognize this encoded version '],
    [
      token({ v, rv: 0, start: 'a' }),
      'incorrect encoded start resourceVersion (version meta.k8s.io/v1)',
    ],
    [token({ v, rv: 1, start: '' }), 'encoded start key empty (version meta.k8s.io/v1)'],
    [token({ v, rv: 1, start: '../a' }), '../a'],
    [token({ v, rv: 1, start: '/a/../../b' }), '/a/../../b'],
    [token({ v, rv: 1, start: 'a//b' }), 'a//b'],
    [token({ v, rv: 1, start: 'a/' }), 'a/'],
    [token({ v, rv: 1, start: './a' }), './a'],
  ] as const
  for (const [text, why] of refused) {
    it(`refuses ${text || 'an empty string'}: 400 ${why}`, () => {
      expect(() => decodeContinue(text))
        .to.throw(StatusError)
        .that.deep.include({
          code: 400,
          message: `invalid continue token: continue key is not valid: ${why}`,
        })
    })
  }
})
